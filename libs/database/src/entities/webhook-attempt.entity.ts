import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** An attempt of a delivery: a status, or an error without a response. */
@Entity('webhook_attempt')
export class WebhookAttempt {
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_attempt_pk', type: 'uuid', name: 'delivery_id' })
  deliveryId: string;

  @ManyToOne(() => WebhookDelivery, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'delivery_id', foreignKeyConstraintName: 'webhook_attempt_delivery_fk' })
  delivery: Relation<WebhookDelivery>;

  /** From 1. */
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_attempt_pk', type: 'integer' })
  number: number;

  /** End of the attempt. */
  @Column({ ...timestampColumn, default: () => 'now()' })
  at: Date;

  @Column({ type: 'integer', name: 'status_code', nullable: true })
  statusCode: number | null;

  @Column(nullableTextColumn)
  error: string | null;

  /** Duration in milliseconds. */
  @Column({ type: 'integer' })
  ms: number;
}
