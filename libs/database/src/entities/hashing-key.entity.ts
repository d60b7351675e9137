import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Hashes API keys; encrypted with a key derived from the service secret. */
@Entity('hashing_key')
@Check('hashing_key_single', '"id" = 1')
export class HashingKey {
  @PrimaryColumn({ primaryKeyConstraintName: 'hashing_key_pk', type: 'integer', default: 1 })
  id: number;

  @Column({ type: 'text', name: 'key_id' })
  keyId: string;

  @Column({ type: 'bytea' })
  sealed: Buffer;
}
