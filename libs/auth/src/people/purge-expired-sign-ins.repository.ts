import { CommandLineSignIn, SignInChallenge, OneTimeLink, UserSession } from '@app/database';
import { type DataSource, Raw } from 'typeorm';

/** Deletes sessions, links, challenges and waiting command lines after their expiry, which ends their use before. @returns deleted rows */
export async function purgeExpiredSignIns({ manager }: DataSource): Promise<number> {
  const hasExpired = { expiresAt: Raw((expiresAt) => `${expiresAt} <= now()`) };
  let deleted = 0;
  for (const entity of [UserSession, OneTimeLink, SignInChallenge, CommandLineSignIn])
    deleted += (await manager.delete(entity, hasExpired)).affected ?? 0;
  return deleted;
}
