import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** The secret of an authenticator app whose first code the user has not entered yet; encrypted as `TotpSecret`. */
@Entity('totp_enrollment')
export class TotpEnrollment {
  @PrimaryColumn({ primaryKeyConstraintName: 'totp_enrollment_pk', type: 'uuid', name: 'user_id' })
  userId: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'totp_enrollment_user_fk' })
  user: Relation<User>;

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
