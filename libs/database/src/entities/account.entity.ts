import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';

@Entity('account')
@Check('account_balance_not_negative', '"balance" >= 0')
export class Account {
  @PrimaryColumn({ primaryKeyConstraintName: 'account_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  /** Always the sum of the credit entries of the account. */
  @Column({ type: 'bigint', default: 0 })
  balance: number;

  /** `created_at` of the newest job; the next one is at least a microsecond later. */
  @Column({ ...timestampColumn, name: 'last_job_at', default: () => 'now()' })
  lastJobAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'suspended_at' })
  suspendedAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
