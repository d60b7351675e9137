import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

@Entity('api_key')
export class ApiKey {
  /** Part of the text of the key. */
  @PrimaryColumn({ primaryKeyConstraintName: 'api_key_pk', type: 'text' })
  id: string;

  @Index('api_key_account')
  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'api_key_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'bytea' })
  hash: Buffer;

  /** Requests per minute by limit name, if they differ from the defaults. */
  @Column({ type: 'jsonb', name: 'rate_limits', nullable: true })
  rateLimits: Record<string, number> | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Null for a key that an operator made. */
  @Column({ type: 'uuid', name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'api_key_creator_fk' })
  creator: Relation<User> | null;

  /** Null for a key without an end. */
  @Column({ ...nullableTimestampColumn, name: 'expires_at' })
  expiresAt: Date | null;

  /** To the minute. */
  @Column({ ...nullableTimestampColumn, name: 'last_used_at' })
  lastUsedAt: Date | null;

  @Column({ ...nullableTimestampColumn, name: 'revoked_at' })
  revokedAt: Date | null;
}
