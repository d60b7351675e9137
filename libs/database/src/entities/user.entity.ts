import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTextColumn, nullableTimestampColumn, timestampColumn } from './columns.js';

/** A person who uses the console. `user` is a reserved word of Postgres. */
@Entity('app_user')
export class User {
  @PrimaryColumn({ primaryKeyConstraintName: 'app_user_pk', type: 'uuid' })
  id: string;

  /** In lower case. */
  @Index('app_user_email', { unique: true })
  @Column({ type: 'text' })
  email: string;

  @Column({ type: 'text' })
  name: string;

  /** argon2id in PHC format; null if the user signs in by other means only. */
  @Column({ ...nullableTextColumn, name: 'password_hash' })
  passwordHash: string | null;

  /**
   * Whether the address is that of the person: an operator or a provider said so, or the person has opened a link that was
   * mailed to it. Whoever has a copied link may have set up what the user signs in with.
   */
  @Column({ type: 'boolean', name: 'address_proved', default: false })
  isAddressProved: boolean;

  /** The account that the user chose last, which the next sign-in opens if they are still a member. */
  @Column({ type: 'uuid', name: 'last_account_id', nullable: true })
  lastAccountId: string | null;

  @Column({ ...nullableTimestampColumn, name: 'disabled_at' })
  disabledAt: Date | null;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
