import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTextColumn, timestampColumn } from './columns.js';

@Entity('stripe_customer')
export class StripeCustomer {
  @PrimaryColumn({ primaryKeyConstraintName: 'stripe_customer_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @OneToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'stripe_customer_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text', name: 'customer_id' })
  customerId: string;

  /** The saved card, which auto-recharge charges. */
  @Column({ ...nullableTextColumn, name: 'payment_method_id' })
  paymentMethodId: string | null;

  @Column({ ...nullableTextColumn, name: 'card_brand' })
  cardBrand: string | null;

  @Column({ ...nullableTextColumn, name: 'card_last4' })
  cardLast4: string | null;

  /** `YYYY-MM` */
  @Column({ ...nullableTextColumn, name: 'card_expires' })
  cardExpires: string | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
