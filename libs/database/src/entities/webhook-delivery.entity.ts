import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, nullableTextColumn, timestampColumn } from './columns.js';
import { Job } from './job.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WEBHOOK_EVENTS, type WebhookEventType } from './webhook-events.js';

/** `cancelled`: its endpoint was disabled or deleted before it was delivered. */
export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

const EVENTS_SQL = WEBHOOK_EVENTS.map((event) => `'${event}'`).join(', ');

@Entity('webhook_delivery')
@Index('webhook_delivery_callback', ['jobId'], { unique: true, where: '"endpoint_id" IS NULL' })
@Index('webhook_delivery_job_endpoint', ['jobId', 'endpointId'], { unique: true })
@Index('webhook_delivery_endpoint', ['endpointId', 'id'])
@Index('webhook_delivery_failed', ['accountId', 'id'], { where: `"state" = 'failed'` })
@Index('webhook_delivery_failed_at', ['accountId', 'finishedAt', 'id'], { where: `"state" = 'failed'` })
@Index('webhook_delivery_account', ['accountId', 'id'])
@Index('webhook_delivery_turn', ['accountId', 'nextAttemptAt'], { where: `"state" = 'pending'` })
@Check('webhook_delivery_state_known', `"state" IN ('pending', 'delivered', 'failed', 'cancelled')`)
@Check('webhook_delivery_event_known', `"event" IN (${EVENTS_SQL})`)
@Check('webhook_delivery_subject', `("event" = 'test') = ("job_id" IS NULL)`)
@Check('webhook_delivery_sealed', `("sealed" IS NULL) = ("key_id" IS NULL)`)
export class WebhookDelivery {
  /** UUID v7, sent as `X-SVC-Delivery`. */
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_delivery_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhook_delivery_account_fk' })
  account: Relation<Account>;

  /** Null for the event `test`. */
  @Column({ type: 'uuid', name: 'job_id', nullable: true })
  jobId: string | null;

  @ManyToOne(() => Job, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'job_id', foreignKeyConstraintName: 'webhook_delivery_job_fk' })
  job: Relation<Job> | null;

  /** Null if the URL is the job's `callback_url` and no endpoint of the account. */
  @Column({ type: 'uuid', name: 'endpoint_id', nullable: true })
  endpointId: string | null;

  @ManyToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id', foreignKeyConstraintName: 'webhook_delivery_endpoint_fk' })
  endpoint: Relation<WebhookEndpoint> | null;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text' })
  event: WebhookEventType;

  /** Encryption key of the body. */
  @Column({ ...nullableTextColumn, name: 'key_id' })
  keyId: string | null;

  /** Encrypted because it contains a signed URL; null until the first attempt. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;

  @Column({ type: 'text', default: 'pending' })
  state: DeliveryState;

  /** Attempts with a known result. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Before the latest replay; they do not count towards the limit. */
  @Column({ type: 'integer', name: 'attempts_before', default: 0 })
  attemptsBefore: number;

  @Index('webhook_delivery_due', { where: `"state" = 'pending'` })
  @Column({ ...timestampColumn, name: 'next_attempt_at', default: () => 'now()' })
  nextAttemptAt: Date;

  /** End of the lease of a dispatcher. */
  @Column({ ...nullableTimestampColumn, name: 'lease_until' })
  leaseUntil: Date | null;

  /** Raised with every claim; a write with an older number changes nothing. */
  @Column({ type: 'integer', default: 0 })
  fence: number;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'finished_at' })
  finishedAt: Date | null;
}
