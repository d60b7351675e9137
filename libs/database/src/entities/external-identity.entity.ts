import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { timestampColumn } from './columns.js';
import { User } from './user.entity.js';

/** A user at an OIDC provider. */
@Entity('external_identity')
@Index('external_identity_issuer_user', ['issuer', 'userId'], { unique: true })
export class ExternalIdentity {
  @PrimaryColumn({ primaryKeyConstraintName: 'external_identity_pk', type: 'text' })
  issuer: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'external_identity_pk', type: 'text' })
  subject: string;

  @Index('external_identity_user')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'external_identity_user_fk' })
  user: Relation<User>;

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
