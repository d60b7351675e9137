import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** A step of a sign-in that waits for its answer: a second factor, a passkey, or an OIDC provider. */
@Entity('sign_in_challenge')
export class SignInChallenge {
  @PrimaryColumn({ primaryKeyConstraintName: 'sign_in_challenge_pk', type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  /** Null while the user is not known. */
  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sign_in_challenge_user_fk' })
  user: Relation<User> | null;

  @Column({ type: 'text' })
  kind: 'second_factor' | 'passkey' | 'passkey_registration' | 'oidc';

  /** What the answer is compared with: a WebAuthn challenge, or the state of an OIDC request. */
  @Column({ type: 'jsonb', default: {} })
  data: Record<string, unknown>;

  @Index('sign_in_challenge_expiry')
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
