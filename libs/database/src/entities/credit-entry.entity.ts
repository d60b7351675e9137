import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTextColumn, timestampColumn } from './columns.js';

/** `reversal`: credits of a payment that was refunded, or whose dispute was lost; positive if they come back. */
export type CreditEntryKind = 'grant' | 'hold' | 'release' | 'capture' | 'reversal';

/** Append-only. A job has at most one entry of each kind. */
@Entity('credit_entry')
@Index('credit_entry_account', ['accountId', 'id'])
@Index('credit_entry_job_kind', ['jobId', 'kind'], { unique: true, where: '"job_id" IS NOT NULL' })
@Index('credit_entry_payment', ['paymentId'], {
  unique: true,
  where: `"payment_id" IS NOT NULL AND "kind" = 'grant'`,
})
@Check('credit_entry_kind_known', `"kind" IN ('grant', 'hold', 'release', 'capture', 'reversal')`)
export class CreditEntry {
  @PrimaryGeneratedColumn('identity', {
    primaryKeyConstraintName: 'credit_entry_pk',
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
  })
  id: number;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'credit_entry_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  kind: CreditEntryKind;

  /** Change of the balance; negative for holds and captures. */
  @Column({ type: 'bigint' })
  amount: number;

  @Column({ type: 'uuid', name: 'job_id', nullable: true })
  jobId: string | null;

  /** Unique for grants, so that no payment grants twice. */
  @Column({ type: 'uuid', name: 'payment_id', nullable: true })
  paymentId: string | null;

  @Column(nullableTextColumn)
  note: string | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
