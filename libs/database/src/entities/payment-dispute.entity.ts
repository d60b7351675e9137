import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, timestampColumn } from './columns.js';
import { Payment } from './payment.entity.js';

/** As the payment provider reported it last. While one is open, the account creates no jobs. */
@Entity('payment_dispute')
@Index('payment_dispute_open', ['accountId'], {
  where: `"closed_at" IS NULL AND "status" NOT LIKE 'warning%'`,
})
export class PaymentDispute {
  /** Id at the payment provider. */
  @PrimaryColumn({ primaryKeyConstraintName: 'payment_dispute_pk', type: 'text' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'payment_dispute_account_fk' })
  account: Relation<Account>;

  @Index('payment_dispute_payment')
  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId: string;

  @ManyToOne(() => Payment, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payment_dispute_payment_fk' })
  payment: Relation<Payment>;

  /** In the smallest unit of the currency. */
  @Column({ type: 'bigint' })
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  reason: string;

  /** State at the payment provider, such as `needs_response`, `won`, `lost`; `warning_…` is an inquiry. */
  @Column({ type: 'text' })
  status: string;

  @Column({ ...timestampColumn, name: 'created_at' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'closed_at' })
  closedAt: Date | null;
}
