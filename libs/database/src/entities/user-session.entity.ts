import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** A signed-in browser. */
@Entity('user_session')
export class UserSession {
  @PrimaryColumn({ primaryKeyConstraintName: 'user_session_pk', type: 'uuid' })
  id: string;

  @Index('user_session_token', { unique: true })
  @Column({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Index('user_session_user')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_session_user_fk' })
  user: Relation<User>;

  /** The account that the console shows; the membership is checked with each request. */
  @Column({ type: 'uuid', name: 'account_id', nullable: true })
  accountId: string | null;

  /** Whether its user was verified by two factors, at the sign-in or later. */
  @Column({ type: 'boolean', name: 'two_factors', default: false })
  hasTwoFactors: boolean;

  @Column({ ...nullableTextColumn })
  address: string | null;

  @Column({ ...nullableTextColumn, name: 'user_agent' })
  userAgent: string | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...timestampColumn, name: 'last_seen_at', default: () => 'now()' })
  lastSeenAt: Date;

  /** However active the session is. */
  @Index('user_session_expiry')
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
