import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTimestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** The secret of an authenticator app; encrypted. */
@Entity('totp_secret')
export class TotpSecret {
  @PrimaryColumn({ primaryKeyConstraintName: 'totp_secret_pk', type: 'uuid', name: 'user_id' })
  userId: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'totp_secret_user_fk' })
  user: Relation<User>;

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;

  /** Null until the user has entered a first code. */
  @Column({ ...nullableTimestampColumn, name: 'confirmed_at' })
  confirmedAt: Date | null;

  /** Number of the time step of the last accepted code; a code of this or an earlier step is rejected. */
  @Column({ type: 'bigint', name: 'last_step', default: 0 })
  lastStep: number;
}
