import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, nullableTextColumn, timestampColumn } from './columns.js';

export type PaymentState = 'requested' | 'settled' | 'declined';

/** A settled payment has one grant in the ledger. */
@Entity('payment')
@Index('payment_account', ['accountId', 'id'])
@Index('payment_open', ['accountId'], { unique: true, where: `"state" = 'requested'` })
@Check('payment_state_known', `"state" IN ('requested', 'settled', 'declined')`)
@Check('payment_credits_positive', '"credits" > 0')
export class Payment {
  /** UUID v7; also the idempotency key at the payment provider. */
  @PrimaryColumn({ primaryKeyConstraintName: 'payment_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'payment_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'bigint' })
  credits: number;

  @Column({ type: 'text', default: 'requested' })
  state: PaymentState;

  /** Of the payment provider. */
  @Column(nullableTextColumn)
  reference: string | null;

  /** Other processes wait some time before they request it again. */
  @Column({ ...timestampColumn, name: 'asked_at', default: () => 'now()' })
  lastRequestedAt: Date;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'ended_at' })
  endedAt: Date | null;
}
