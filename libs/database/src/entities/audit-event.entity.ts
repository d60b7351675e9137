import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';

/** What somebody changed. It outlives its actor and target, so it refers to neither by a foreign key. */
@Entity('audit_event')
@Index('audit_event_account', ['accountId', 'id'])
@Index('audit_event_user', ['actorId', 'id'], { where: 'account_id IS NULL' })
@Check('audit_event_actor', `"actor_kind" IN ('user', 'key', 'operator', 'system')`)
export class AuditEvent {
  @PrimaryGeneratedColumn('identity', {
    primaryKeyConstraintName: 'audit_event_pk',
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
  })
  id: number;

  /** Null for what belongs to no account, such as a sign-in. */
  @Column({ type: 'uuid', name: 'account_id', nullable: true })
  accountId: string | null;

  @Column({ ...timestampColumn, default: () => 'now()' })
  at: Date;

  @Column({ type: 'text', name: 'actor_kind' })
  actorKind: 'user' | 'key' | 'operator' | 'system';

  /** User id, public key id, or the operator's system user. */
  @Column({ ...nullableTextColumn, name: 'actor_id' })
  actorId: string | null;

  /** As it was then: mail address, name of the key. */
  @Column({ ...nullableTextColumn, name: 'actor_name' })
  actorName: string | null;

  /** Such as `key.created`. */
  @Column({ type: 'text' })
  action: string;

  @Column({ ...nullableTextColumn })
  target: string | null;

  @Column({ ...nullableTextColumn })
  address: string | null;

  @Column({ ...nullableTextColumn, name: 'request_id' })
  requestId: string | null;

  /** Never a secret. */
  @Column({ type: 'jsonb', default: {} })
  details: Record<string, unknown>;
}
