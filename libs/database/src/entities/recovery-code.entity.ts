import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from './user.entity.js';

/** Replaces a second factor once; deleted when it is used. */
@Entity('recovery_code')
export class RecoveryCode {
  @PrimaryColumn({ primaryKeyConstraintName: 'recovery_code_pk', type: 'bytea', name: 'code_hash' })
  codeHash: Buffer;

  @Index('recovery_code_user')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'recovery_code_user_fk' })
  user: Relation<User>;
}
