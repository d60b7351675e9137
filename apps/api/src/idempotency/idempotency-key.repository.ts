import { queryPrepared, type EncryptedValue } from '@app/database';
import type { EntityManager } from 'typeorm';
import type { ScopedIdempotencyKey } from './scoped-idempotency-key.js';

/** A key claimed by this request; `claimId` identifies the claim. */
export interface IdempotencyKeyClaim extends Pick<ScopedIdempotencyKey, 'accountId' | 'route' | 'key'> {
  claimId: string;
}

/** The row of a key; without a fingerprint its request is in progress. */
export interface StoredIdempotentResponse {
  fingerprint: string | null;
  keyId: string | null;
  sealed: Buffer | null;
}

const KEY_CONDITION = 'account_id = $1 AND route = $2 AND key = $3';
const OWN_CLAIM_CONDITION = `${KEY_CONDITION} AND claim = $4 AND fingerprint IS NULL`;

const CLAIM_QUERY = {
  name: 'idempotency-claim',
  text: `INSERT INTO idempotency_key (account_id, route, key, claim, expires_at)
         VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
         ON CONFLICT (account_id, route, key) DO UPDATE
         SET claim = excluded.claim, expires_at = excluded.expires_at, fingerprint = NULL,
           key_id = NULL, sealed = NULL
         WHERE idempotency_key.expires_at <= now()
         RETURNING claim`,
};
const READ_QUERY = {
  name: 'idempotency-read',
  text: `SELECT fingerprint, key_id AS "keyId", sealed FROM idempotency_key WHERE ${KEY_CONDITION} AND expires_at > now()`,
};
const RENEW_QUERY = {
  name: 'idempotency-renew',
  text: `UPDATE idempotency_key SET expires_at = now() + make_interval(secs => $5) WHERE ${OWN_CLAIM_CONDITION}`,
};
const SAVE_RESPONSE_QUERY = {
  name: 'idempotency-answer',
  text: `UPDATE idempotency_key SET fingerprint = $5, key_id = $6, sealed = $7,
           expires_at = now() + make_interval(secs => $8)
         WHERE ${OWN_CLAIM_CONDITION} RETURNING claim`,
};
const RELEASE_QUERY = {
  name: 'idempotency-release',
  text: `DELETE FROM idempotency_key WHERE ${OWN_CLAIM_CONDITION}`,
};

/** Claims a key that is free or has expired. @returns false when it is claimed or has a response */
export async function claimIdempotencyKey(
  db: EntityManager,
  key: IdempotencyKeyClaim,
  leaseSeconds: number,
): Promise<boolean> {
  return (await queryPrepared(db, CLAIM_QUERY, [...keyParameters(key), leaseSeconds])).length === 1;
}

export async function findIdempotencyKey(
  db: EntityManager,
  key: IdempotencyKeyClaim,
): Promise<StoredIdempotentResponse | undefined> {
  const [row] = await queryPrepared<StoredIdempotentResponse>(db, READ_QUERY, keyParameters(key).slice(0, 3));
  return row;
}

/** Extends the lease; does nothing if another request has claimed the key meanwhile. */
export async function renewIdempotencyKeyClaim(
  db: EntityManager,
  key: IdempotencyKeyClaim,
  leaseSeconds: number,
): Promise<void> {
  await queryPrepared(db, RENEW_QUERY, [...keyParameters(key), leaseSeconds]);
}

/** @returns false when the claim was lost; the transaction must not commit then */
export async function saveIdempotentResponse(
  tx: EntityManager,
  key: IdempotencyKeyClaim,
  {
    fingerprint,
    encrypted,
    retentionSeconds,
  }: { fingerprint: string; encrypted: EncryptedValue; retentionSeconds: number },
): Promise<boolean> {
  const values = [...keyParameters(key), fingerprint, encrypted.keyId, encrypted.sealed, retentionSeconds];
  return (await queryPrepared(tx, SAVE_RESPONSE_QUERY, values)).length === 1;
}

/** Deletes the claim; keeps a key whose response is stored. */
export async function releaseIdempotencyKey(db: EntityManager, key: IdempotencyKeyClaim): Promise<void> {
  await queryPrepared(db, RELEASE_QUERY, keyParameters(key));
}

function keyParameters({ accountId, route, key, claimId }: IdempotencyKeyClaim): string[] {
  return [accountId, route, key, claimId];
}
