import { readFile, rm, writeFile } from 'node:fs/promises';
import {
  type AuditActor,
  issueOneTimeLinkToken,
  isOpenOneTimeLinkToken,
  Memberships,
  Users,
} from '@app/auth';
import type { INestApplicationContext } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A `localhost` address receives no mail, so nobody else can be its owner. */
const DEVELOPMENT_OWNER_EMAIL = 'owner@localhost';
const LINK_SECONDS = 24 * 3600;

/** The user who owns the development account. */
export async function createDevelopmentAccountOwner(
  app: INestApplicationContext,
  tx: EntityManager,
  actor: AuditActor,
  accountId: string,
): Promise<void> {
  const user = { email: DEVELOPMENT_OWNER_EMAIL, name: 'Owner', isAddressProved: true };
  const userId = await app.get(Users).create(tx, actor, user);
  await app.get(Memberships).add(tx, actor, { userId, accountId, role: 'owner' });
}

/**
 * Until the owner of the development account has a password or passkey, the file has a link that signs the owner in
 * once. A link that still works is kept, because it may have been shown to somebody.
 */
export async function writeOrRemoveDevelopmentSignInLinkFile(
  app: INestApplicationContext,
  tx: EntityManager,
  linkFile: string,
  publicUrl: string,
): Promise<void> {
  const users = app.get(Users);
  const owner = await users.findByEmail(DEVELOPMENT_OWNER_EMAIL, tx);
  if (!owner || owner.disabledAt !== null || (await users.hasCredentials(tx, owner.id)))
    return rm(linkFile, { force: true });
  const present = await readFile(linkFile, 'utf8').catch(() => '');
  if (await isOpenOneTimeLinkToken(tx, present.trim().split('#')[1] ?? '')) return;
  const token = await issueOneTimeLinkToken(tx, owner.id, 'sign_in', LINK_SECONDS);
  await writeFile(linkFile, `${publicUrl}/console/sign-in#${token}\n`, { mode: 0o600 });
}
