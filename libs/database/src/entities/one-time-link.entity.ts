import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** Deleted when it is used. */
@Entity('sign_in_link')
@Check('sign_in_link_purpose', `"purpose" IN ('sign_in', 'set_password')`)
export class OneTimeLink {
  @PrimaryColumn({ primaryKeyConstraintName: 'sign_in_link_pk', type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  @Index('sign_in_link_user')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'sign_in_link_user_fk' })
  user: Relation<User>;

  @Column({ type: 'text' })
  purpose: 'sign_in' | 'set_password';

  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
