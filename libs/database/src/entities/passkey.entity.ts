import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { nullableTimestampColumn, timestampColumn } from './columns.js';
import { User } from './user.entity.js';

@Entity('passkey')
export class Passkey {
  /** Credential id, base64url. */
  @PrimaryColumn({ primaryKeyConstraintName: 'passkey_pk', type: 'text' })
  id: string;

  @Index('passkey_user')
  @Column({ type: 'uuid', name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'passkey_user_fk' })
  user: Relation<User>;

  @Column({ type: 'text' })
  name: string;

  /** COSE key. */
  @Column({ type: 'bytea', name: 'public_key' })
  publicKey: Buffer;

  /** Signature counter; 0 for authenticators without one. */
  @Column({ type: 'bigint', default: 0 })
  counter: number;

  @Column({ type: 'text', array: true, default: '{}' })
  transports: string[];

  @Column({ ...timestampColumn, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ ...nullableTimestampColumn, name: 'last_used_at' })
  lastUsedAt: Date | null;
}
