import { OneTimeLink, SignInChallenge } from '@app/database';
import type { EntityManager } from 'typeorm';

/** Links of the user, and sign-ins that wait for a second factor: none of them leads to a session any more. */
export async function deleteOneTimeLinksAndChallenges(tx: EntityManager, userId: string): Promise<void> {
  await tx.delete(OneTimeLink, { userId });
  await tx.delete(SignInChallenge, { userId });
}
