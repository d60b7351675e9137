import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The one key that API keys are hashed with, encrypted under a key of the service secret. */
@Entity('hashing_key')
@Check('hashing_key_single', '"id" = 1')
export class HashingKey {
  @PrimaryColumn({ primaryKeyConstraintName: 'hashing_key_pk', type: 'integer', default: 1 })
  id: number;

  /** Tells which key it is encrypted with. */
  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;
}
