import { queryRows, OneTimeLink, SignInChallenge, type User } from '@app/database';
import { type EntityManager, Raw } from 'typeorm';

export async function insertOneTimeLink(
  db: EntityManager,
  link: Pick<OneTimeLink, 'tokenHash' | 'userId' | 'purpose'>,
  lifetimeSeconds: number,
): Promise<void> {
  await db.query(
    `INSERT INTO sign_in_link (token_hash, user_id, purpose, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
    [link.tokenHash, link.userId, link.purpose, lifetimeSeconds],
  );
}

/** Deletes the link, so that it works once. @returns undefined if it is unknown, used or expired */
export async function consumeOneTimeLink(
  db: EntityManager,
  tokenHash: Buffer,
  purpose: OneTimeLink['purpose'],
): Promise<{ userId: string } | undefined> {
  const [row] = await queryRows<{ userId: string }>(
    db,
    `DELETE FROM sign_in_link USING app_user
     WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()
       AND app_user.id = sign_in_link.user_id AND app_user.disabled_at IS NULL
     RETURNING user_id AS "userId"`,
    [tokenHash, purpose],
  );
  return row;
}

/** @returns undefined as `consumeOneTimeLink` */
export async function findUserOfOpenOneTimeLink(
  db: EntityManager,
  tokenHash: Buffer,
  purpose: OneTimeLink['purpose'],
): Promise<Pick<User, 'email' | 'name'> | undefined> {
  const [row] = await queryRows<Pick<User, 'email' | 'name'>>(
    db,
    `SELECT email, name FROM sign_in_link JOIN app_user ON app_user.id = sign_in_link.user_id
     WHERE purpose = $2 AND token_hash = $1 AND expires_at > now() AND app_user.disabled_at IS NULL`,
    [tokenHash, purpose],
  );
  return row;
}

export function countOpenOneTimeLinks(
  db: EntityManager,
  userId: string,
  purpose: OneTimeLink['purpose'],
): Promise<number> {
  return db.countBy(OneTimeLink, { userId, purpose, expiresAt: Raw((expiresAt) => `${expiresAt} > now()`) });
}

export function existsOpenOneTimeLink(db: EntityManager, tokenHash: Buffer): Promise<boolean> {
  return db.existsBy(OneTimeLink, { tokenHash, expiresAt: Raw((expiresAt) => `${expiresAt} > now()`) });
}

/** Links of the user, and sign-ins that wait for a second factor: none of them leads to a session any more. */
export async function deleteOneTimeLinksAndChallenges(tx: EntityManager, userId: string): Promise<void> {
  await tx.delete(OneTimeLink, { userId });
  await tx.delete(SignInChallenge, { userId });
}
