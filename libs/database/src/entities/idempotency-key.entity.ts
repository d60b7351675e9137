import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';

const primary = { primaryKeyConstraintName: 'idempotency_key_pk' };

/**
 * Without a stored response, a request holds the key until `expiresAt`, which it extends; with one, the
 * response is replayed until then. An expired row has no effect.
 */
@Entity('idempotency_key')
@Check(
  'idempotency_key_answered',
  `("fingerprint" IS NULL) = ("sealed" IS NULL) AND ("sealed" IS NULL) = ("key_id" IS NULL)`,
)
export class IdempotencyKey {
  @PrimaryColumn({ ...primary, type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Equal keys of different routes are independent. */
  @PrimaryColumn({ ...primary, type: 'text' })
  route: string;

  @PrimaryColumn({ ...primary, type: 'text' })
  key: string;

  /** Renewed with every claim; a write with another value changes nothing. */
  @Column({ type: 'uuid' })
  claim: string;

  @Column(nullableTextColumn)
  fingerprint: string | null;

  /** Encryption key of the response. */
  @Column({ ...nullableTextColumn, name: 'key_id' })
  keyId: string | null;

  /** The first response as JSON text, compressed, and encrypted because it may contain signed URLs. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;

  @Index('idempotency_key_expiry')
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
