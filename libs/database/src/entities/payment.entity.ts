import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, nullableTextColumn, timestampColumn } from './columns.js';

export type PaymentState = 'checkout' | 'requested' | 'action_required' | 'settled' | 'declined' | 'expired';
export type PaymentKind = 'recharge' | 'top_up';
export type PaymentProvider = 'manual' | 'stripe';

/** A settled payment has one grant in the ledger. */
@Entity('payment')
@Index('payment_account', ['accountId', 'id'])
@Index('payment_open', ['accountId'], { unique: true, where: `"state" = 'requested'` })
@Index('payment_intent', ['reference'], {
  unique: true,
  where: `"provider" = 'stripe' AND "reference" IS NOT NULL`,
})
@Index('payment_checkout', ['checkoutId'], { unique: true, where: '"checkout_id" IS NOT NULL' })
@Index('payment_unfinished', ['id'], {
  where: `"state" IN ('checkout', 'requested', 'action_required')`,
})
@Check(
  'payment_state_known',
  `"state" IN ('checkout', 'requested', 'action_required', 'settled', 'declined', 'expired')`,
)
@Check('payment_kind_known', `"kind" IN ('recharge', 'top_up')`)
@Check('payment_provider_known', `"provider" IN ('manual', 'stripe')`)
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

  @Column({ type: 'text', default: 'recharge' })
  kind: PaymentKind;

  @Column({ type: 'text', default: 'manual' })
  provider: PaymentProvider;

  /** In the smallest unit of the currency; null if the operator collects it. */
  @Column({ type: 'bigint', nullable: true })
  amount: number | null;

  /** Lower case, such as `usd`. */
  @Column(nullableTextColumn)
  currency: string | null;

  /** Reference at the payment provider; at Stripe the payment intent. */
  @Column(nullableTextColumn)
  reference: string | null;

  /** Checkout session at Stripe. */
  @Column({ ...nullableTextColumn, name: 'checkout_id' })
  checkoutId: string | null;

  /** Where the owner of the card can complete the payment. */
  @Column({ ...nullableTextColumn, name: 'action_url' })
  actionUrl: string | null;

  @Column({ ...nullableTextColumn, name: 'receipt_url' })
  receiptUrl: string | null;

  /** Why it was declined, as the payment provider names it. */
  @Column(nullableTextColumn)
  failure: string | null;

  /** In the smallest unit of the currency. */
  @Column({ type: 'bigint', name: 'refunded_amount', default: 0 })
  refundedAmount: number;

  /** Credits that refunds and lost disputes took back, including those that are owed. */
  @Column({ type: 'bigint', name: 'reversed_credits', default: 0 })
  reversedCredits: number;

  /** Rises with every change that comes from the payment provider. */
  @Column({ type: 'integer', default: 0 })
  version: number;

  /** Other processes wait some time before they request it again. */
  @Column({ ...timestampColumn, name: 'asked_at', default: () => 'now()' })
  lastRequestedAt: Date;

  /** No mail that asks to confirm it is sent before. */
  @Column({ ...nullableTimestampColumn, name: 'next_notice_at' })
  nextNoticeAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'ended_at' })
  endedAt: Date | null;
}
