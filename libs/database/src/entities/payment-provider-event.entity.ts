import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampColumn } from './columns.js';

/** An event of the payment provider, inserted in the transaction that applies it. */
@Entity('payment_event')
export class PaymentProviderEvent {
  /** Id at the payment provider. */
  @PrimaryColumn({ primaryKeyConstraintName: 'payment_event_pk', type: 'text' })
  id: string;

  @Column({ type: 'text' })
  type: string;

  /** Null if it is not about a payment of this service. */
  @Index('payment_event_payment')
  @Column({ type: 'uuid', name: 'payment_id', nullable: true })
  paymentId: string | null;

  /** By the clock of the payment provider. */
  @Column({ ...timestampColumn, name: 'created_at' })
  createdAt: Date;

  @Index('payment_event_received')
  @Column({ ...timestampColumn, name: 'received_at', default: () => 'now()' })
  receivedAt: Date;
}
