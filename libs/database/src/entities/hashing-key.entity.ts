import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The hashing key of API keys, encrypted with a key derived from the service secret. */
@Entity('hashing_key')
@Check('hashing_key_single', '"id" = 1')
export class HashingKey {
  @PrimaryColumn({ primaryKeyConstraintName: 'hashing_key_pk', type: 'integer', default: 1 })
  id: number;

  /** Identifies the key that encrypted it. */
  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;
}
