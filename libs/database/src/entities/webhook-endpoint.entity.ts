import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';
import { JOB_END_EVENTS, type JobEndEventType } from './webhook-events.js';

const EVENTS_SQL = JOB_END_EVENTS.map((event) => `'${event}'`).join(', ');

/** Receives webhooks about all jobs of its account. */
@Entity('webhook_endpoint')
@Index('webhook_endpoint_url', ['accountId', 'url'], { unique: true, where: '"deleted_at" IS NULL' })
@Check('webhook_endpoint_events_known', `"events" <@ ARRAY[${EVENTS_SQL}] AND "events" <> '{}'`)
export class WebhookEndpoint {
  /** UUID v7. */
  @PrimaryColumn({ primaryKeyConstraintName: 'webhook_endpoint_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'webhook_endpoint_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', default: '' })
  description: string;

  @Column({ type: 'text', array: true })
  events: JobEndEventType[];

  @Column({ type: 'boolean', default: true })
  enabled: boolean;

  /** Null for an endpoint that an operator made. */
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'webhook_endpoint_creator_fk' })
  creator: Relation<User> | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** The row stays, because deliveries refer to it. */
  @Column({ ...nullableTimestampColumn, name: 'deleted_at' })
  deletedAt: Date | null;
}
