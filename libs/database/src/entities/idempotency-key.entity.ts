import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullableTextColumn, timestampColumn } from './columns.js';

const primary = { primaryKeyConstraintName: 'idempotency_key_pk' };

/**
 * A key under which a caller may repeat a request that creates something. Without an answer somebody is working on it,
 * until `expiresAt` unless that is renewed; with one it is remembered until then. Past that moment the row means nothing.
 */
@Entity('idempotency_key')
@Check(
  'idempotency_key_answered',
  `("fingerprint" IS NULL) = ("sealed" IS NULL) AND ("sealed" IS NULL) = ("key_id" IS NULL)`,
)
export class IdempotencyKey {
  @PrimaryColumn({ ...primary, type: 'uuid', name: 'account_id' })
  accountId: string;

  /** Path of the route: the same key on another route is another key. */
  @PrimaryColumn({ ...primary, type: 'text' })
  route: string;

  @PrimaryColumn({ ...primary, type: 'text' })
  key: string;

  /** Drawn anew whenever the key changes hands; a write that names another changes nothing. */
  @Column({ type: 'uuid' })
  claim: string;

  /** What the request was, as a digest. */
  @Column(nullableTextColumn)
  fingerprint: string | null;

  /** Tells which key the answer is sealed with. */
  @Column({ ...nullableTextColumn, name: 'key_id' })
  keyId: string | null;

  /** The first answer as the JSON text that was sent, deflated and sealed: addresses in it are permissions. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;

  @Index('idempotency_key_expiry')
  @Column({ ...timestampColumn, name: 'expires_at' })
  expiresAt: Date;
}
