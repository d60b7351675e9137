import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

/** Owns keys, jobs and credits. */
@Entity('account')
@Check('account_balance_not_negative', '"balance" >= 0')
export class Account {
  @PrimaryColumn({ primaryKeyConstraintName: 'account_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Whole credits that are neither spent nor held; always the sum of the account's credit entries. */
  @Column({ type: 'bigint', default: 0 })
  balance: number;

  /** `created_at` of the newest job; the next one is later, if only by a microsecond. */
  @Column({ ...timestampColumn, name: 'last_job_at', default: () => 'now()' })
  lastJobAt: Date;

  /** Since when none of its keys is accepted; null while they are. */
  @Column({ ...nullableTimestampColumn, name: 'suspended_at' })
  suspendedAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
