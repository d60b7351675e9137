import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { ApiKey } from './api-key.entity.js';
import { nullableTextColumn, nullableTimestampColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** An admin asks the operator for a higher rate limit of a key. */
@Entity('limit_request')
@Index('limit_request_account', ['accountId', 'id'])
@Index('limit_request_pending', ['keyId', 'limitName'], { unique: true, where: `"state" = 'pending'` })
@Check('limit_request_state_known', `"state" IN ('pending', 'granted', 'declined')`)
export class RateLimitIncreaseRequest {
  /** UUID v7. */
  @PrimaryColumn({ primaryKeyConstraintName: 'limit_request_pk', type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'limit_request_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'key_id', foreignKeyConstraintName: 'limit_request_key_fk' })
  key: Relation<ApiKey>;

  @Column({ type: 'text', name: 'limit_name' })
  limitName: string;

  @Column({ type: 'integer', name: 'requests_per_minute' })
  requestsPerMinute: number;

  @Column({ type: 'text' })
  reason: string;

  @Column({ type: 'text', default: 'pending' })
  state: 'pending' | 'granted' | 'declined';

  /** Note of the operator, for the account to read. */
  @Column(nullableTextColumn)
  answer: string | null;

  @Column({ type: 'uuid', name: 'requested_by', nullable: true })
  requestedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'requested_by', foreignKeyConstraintName: 'limit_request_user_fk' })
  requester: Relation<User> | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'decided_at' })
  decidedAt: Date | null;
}
