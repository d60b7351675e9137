import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** A user's role in an account. */
@Entity('membership')
@Check('membership_role', `"role" IN ('owner', 'admin', 'member', 'viewer')`)
export class Membership {
  @PrimaryColumn({ primaryKeyConstraintName: 'membership_pk', type: 'uuid', name: 'user_id' })
  userId: string;

  @Index('membership_account')
  @PrimaryColumn({ primaryKeyConstraintName: 'membership_pk', type: 'uuid', name: 'account_id' })
  accountId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'membership_user_fk' })
  user: Relation<User>;

  @ManyToOne(() => Account, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'membership_account_fk' })
  account: Relation<Account>;

  @Column({ type: 'text' })
  role: 'owner' | 'admin' | 'member' | 'viewer';

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
