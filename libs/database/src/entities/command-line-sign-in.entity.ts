import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from './account.entity.js';
import { nullableTextColumn, nullableTimestampColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** A pending sign-in of a command line, which gets an API key if a member approves. Deleted when it got the key, or the member refused. */
@Entity('command_line_sign_in')
export class CommandLineSignIn {
  @PrimaryColumn({
    primaryKeyConstraintName: 'command_line_sign_in_pk',
    type: 'bytea',
    name: 'device_code_hash',
  })
  deviceCodeHash: Buffer;

  /** Keyed, because the code is short. */
  @Index('command_line_sign_in_user_code', { unique: true })
  @Column({ type: 'bytea', name: 'user_code_hash' })
  userCodeHash: Buffer;

  /** As the command line named it, which proves nothing. */
  @Column({ type: 'text' })
  machine: string;

  /** Where the request came from. */
  @Column({ ...nullableTextColumn })
  address: string | null;

  /** Null until a member of it has approved the request, like the columns that follow. */
  @Column({ type: 'uuid', name: 'account_id', nullable: true })
  accountId: string | null;

  @ManyToOne(() => Account, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'command_line_sign_in_account_fk' })
  account: Relation<Account> | null;

  @Column({ type: 'uuid', name: 'approved_by', nullable: true })
  approvedBy: string | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'approved_by', foreignKeyConstraintName: 'command_line_sign_in_user_fk' })
  user: Relation<User> | null;

  @Column({ ...nullableTextColumn, name: 'key_name' })
  keyName: string | null;

  @Column({ ...nullableTimestampColumn, name: 'key_expires_at' })
  keyExpiresAt: Date | null;

  @Column({ ...nullableTimestampColumn, name: 'polled_at' })
  polledAt: Date | null;

  @Index('command_line_sign_in_expiry')
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
