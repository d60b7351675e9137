import type { OneTimeLink } from '@app/database';
import { ServiceError } from '@app/errors';
import type { EntityManager } from 'typeorm';
import { consumeOneTimeLink, existsOpenOneTimeLink, insertOneTimeLink } from './one-time-link.repository.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';

/** @returns the token of the link, which works once */
export async function issueOneTimeLinkToken(
  db: EntityManager,
  userId: string,
  purpose: OneTimeLink['purpose'],
  lifetimeSeconds: number,
): Promise<string> {
  const token = generateSecretToken();
  await insertOneTimeLink(db, { tokenHash: token.hash, userId, purpose }, lifetimeSeconds);
  return token.text;
}

/** @returns false if the link was used, or has expired */
export async function isOpenOneTimeLinkToken(db: EntityManager, token: string): Promise<boolean> {
  const hash = hashSecretToken(token);
  return hash !== null && (await existsOpenOneTimeLink(db, hash));
}

/** @returns the user of the link @throws ServiceError `sign_in_failed` if it is unknown, used or expired */
export async function consumeOneTimeLinkToken(
  db: EntityManager,
  token: string,
  purpose: OneTimeLink['purpose'],
): Promise<string> {
  const hash = hashSecretToken(token);
  const link = hash && (await consumeOneTimeLink(db, hash, purpose));
  if (!link) throw createUnusableLinkError();
  return link.userId;
}

export function createUnusableLinkError(): ServiceError {
  return new ServiceError('sign_in_failed', { detail: 'The link was used before, or has expired.' });
}
