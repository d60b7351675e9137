import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTimestampColumn, timestampColumn } from './columns.js';
import type { Membership } from './membership.entity.js';

/** An offer of a role in an account, accepted once with the token of its link. */
@Entity('invitation')
@Check('invitation_role', `"role" IN ('owner', 'admin', 'member', 'viewer')`)
export class Invitation {
  @PrimaryColumn({ primaryKeyConstraintName: 'invitation_pk', type: 'uuid' })
  id: string;

  @Index('invitation_account')
  @Column({ type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'invitation_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text' })
  role: Membership['role'];

  @Index('invitation_token', { unique: true })
  @Column({ type: 'bytea', name: 'token_hash' })
  tokenHash: Buffer;

  /** Null for an operator. */
  @Column({ type: 'uuid', name: 'invited_by', nullable: true })
  invitedBy: string | null;

  /** False: its link was shown to who invites. */
  @Column({ type: 'boolean', name: 'is_mailed', default: false })
  isMailed: boolean;

  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'accepted_at' })
  acceptedAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
