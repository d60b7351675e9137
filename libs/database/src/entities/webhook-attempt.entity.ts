import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** Has a status, or an error without a response. */
@Entity('webhook_attempt')
@Check('webhook_attempt_sealed', `("sealed" IS NULL) = ("key_id" IS NULL)`)
export class WebhookAttempt {
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_attempt_pk', type: 'uuid', name: 'delivery_id' })
  deliveryId: string;

  @ManyToOne(() => WebhookDelivery, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'delivery_id', foreignKeyConstraintName: 'webhook_attempt_delivery_fk' })
  delivery: Relation<WebhookDelivery>;

  /** From 1. */
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_attempt_pk', type: 'integer' })
  number: number;

  @Index('webhook_attempt_stored_exchange', { where: '"sealed" IS NOT NULL' })
  @Column({ ...timestampColumn, default: () => 'now()' })
  at: Date;

  @Column({ type: 'integer', name: 'status_code', nullable: true })
  statusCode: number | null;

  @Column(nullableTextColumn)
  error: string | null;

  /** Milliseconds. */
  @Column({ type: 'integer' })
  ms: number;

  /** Encryption key of `sealed`. */
  @Column({ ...nullableTextColumn, name: 'key_id' })
  keyId: string | null;

  /** The request and the start of its response, encrypted; null once they have expired. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;
}
