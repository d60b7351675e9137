import { CommandLineSignIn, Invitation, SignInChallenge, OneTimeLink, UserSession } from '@app/database';
import { type DataSource, Raw } from 'typeorm';

/**
 * Deletes sessions, links, challenges and waiting command lines after their expiry, which ends their use before; invitations
 * an hour later, because the mails of an hour are counted by them.
 * @returns deleted rows
 */
export async function purgeExpiredAuthRecords({ manager }: DataSource): Promise<number> {
  const hasExpired = { expiresAt: Raw((expiresAt) => `${expiresAt} <= now()`) };
  let deleted = 0;
  for (const entity of [UserSession, OneTimeLink, SignInChallenge, CommandLineSignIn])
    deleted += (await manager.delete(entity, hasExpired)).affected ?? 0;
  const hasEndedAnHourAgo = { expiresAt: Raw((expiresAt) => `${expiresAt} <= now() - interval '1 hour'`) };
  return deleted + ((await manager.delete(Invitation, hasEndedAnHourAgo)).affected ?? 0);
}
