import { queryRows, type SignInChallenge } from '@app/database';
import type { EntityManager } from 'typeorm';

export async function insertSignInChallenge(
  db: EntityManager,
  { tokenHash, userId, kind, data }: Pick<SignInChallenge, 'tokenHash' | 'userId' | 'kind' | 'data'>,
  lifetimeSeconds: number,
): Promise<void> {
  await db.query(
    `INSERT INTO sign_in_challenge (token_hash, user_id, kind, data, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [tokenHash, userId, kind, JSON.stringify(data), lifetimeSeconds],
  );
}

const SELECT_CHALLENGE_FOR_UPDATE = `SELECT user_id AS "userId", data FROM sign_in_challenge
  WHERE token_hash = $1 AND kind = $2 AND expires_at > now() FOR UPDATE`;

/** @returns null if the challenge is unknown, expired or of no user */
export async function findUserIdOfSignInChallenge(
  db: EntityManager,
  tokenHash: Buffer,
  kind: SignInChallenge['kind'],
): Promise<string | null> {
  const [row] = await queryRows<Pick<SignInChallenge, 'userId'>>(
    db,
    `SELECT user_id AS "userId" FROM sign_in_challenge WHERE token_hash = $1 AND kind = $2 AND expires_at > now()`,
    [tokenHash, kind],
  );
  return row?.userId ?? null;
}

/** Locks the row. @returns undefined if it is unknown or expired */
export async function lockSignInChallenge(
  tx: EntityManager,
  tokenHash: Buffer,
  kind: SignInChallenge['kind'],
): Promise<Pick<SignInChallenge, 'userId' | 'data'> | undefined> {
  const [row] = await queryRows<Pick<SignInChallenge, 'userId' | 'data'>>(tx, SELECT_CHALLENGE_FOR_UPDATE, [
    tokenHash,
    kind,
  ]);
  return row;
}

export async function deleteSignInChallenge(tx: EntityManager, tokenHash: Buffer): Promise<void> {
  await tx.query('DELETE FROM sign_in_challenge WHERE token_hash = $1', [tokenHash]);
}

/** Deletes the row, so that it works once. @returns undefined if it is unknown, used or expired */
export async function consumeSignInChallenge(
  db: EntityManager,
  tokenHash: Buffer,
  kind: SignInChallenge['kind'],
): Promise<Pick<SignInChallenge, 'userId' | 'data'> | undefined> {
  const [row] = await queryRows<Pick<SignInChallenge, 'userId' | 'data'>>(
    db,
    `DELETE FROM sign_in_challenge WHERE token_hash = $1 AND kind = $2 AND expires_at > now()
     RETURNING user_id AS "userId", data`,
    [tokenHash, kind],
  );
  return row;
}
