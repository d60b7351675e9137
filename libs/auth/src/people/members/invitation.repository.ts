import { Invitation, queryRows } from '@app/database';
import { type DataSource, type EntityManager, type FindOptionsWhere, IsNull, Not, Raw } from 'typeorm';
import type { MemberRole } from './permissions.js';

export interface OpenInvitation {
  id: string;
  accountId: string;
  accountName: string;
  email: string;
  role: MemberRole;
  invitedBy: string | null;
  isMailed: boolean;
}

/** Neither accepted nor expired. */
const buildOpenCondition = () => ({
  acceptedAt: IsNull(),
  expiresAt: Raw((expiresAt) => `${expiresAt} > now()`),
});

const SELECT_OPEN = `SELECT invitation.id, account.id AS "accountId", account.name AS "accountName", email, role,
    invited_by AS "invitedBy", is_mailed AS "isMailed"
  FROM invitation JOIN account ON account.id = invitation.account_id
  WHERE accepted_at IS NULL AND expires_at > now()`;

export async function insertInvitationEndingOpenOnes(
  tx: EntityManager,
  {
    id,
    accountId,
    email,
    role,
    tokenHash,
    invitedBy,
  }: Omit<Invitation, 'account' | 'isMailed' | 'expiresAt' | 'acceptedAt' | 'createdAt'>,
  lifetimeSeconds: number,
): Promise<void> {
  // A second invitation of the same address replaces the first.
  await endOpenInvitations(tx, { accountId, email });
  await tx.query(
    `INSERT INTO invitation (id, account_id, email, role, token_hash, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`,
    [id, accountId, email, role, tokenHash, invitedBy, lifetimeSeconds],
  );
}

/** The rows stay: they count how many were mailed to an address. @returns the number of invitations that were open */
export async function endOpenInvitations(
  tx: EntityManager,
  which: FindOptionsWhere<Pick<Invitation, 'id' | 'accountId' | 'email' | 'invitedBy' | 'role'>>,
): Promise<number> {
  const open = { ...which, ...buildOpenCondition() };
  return (await tx.update(Invitation, open, { expiresAt: () => 'now()' })).affected ?? 0;
}

/** @param email its open invitations do not count: another one replaces them */
export function countOpenInvitationsOfOtherAddresses(
  tx: EntityManager,
  accountId: string,
  email: string,
): Promise<number> {
  return tx.countBy(Invitation, { accountId, email: Not(email), ...buildOpenCondition() });
}

/**
 * Counts the invitations of all accounts that were mailed to the address in the last hour; also those that were withdrawn or
 * accepted since. The number is exact until the end of the transaction: others that count for the address wait, and rows that
 * were inserted meanwhile need no lock of their own.
 */
export async function lockAndCountRecentlyMailedInvitations(
  tx: EntityManager,
  email: string,
): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('invitation_mail:' || $1, 0))`, [email]);
  const [row] = await queryRows<{ mailed: number }>(
    tx,
    `SELECT count(*)::int AS mailed FROM invitation
     WHERE email = $1 AND is_mailed AND created_at > now() - interval '1 hour'`,
    [email],
  );
  return row?.mailed ?? 0;
}

/** @returns undefined if it is unknown, accepted or expired */
export async function findOpenInvitation(
  db: DataSource | EntityManager,
  tokenHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const [row] = await queryRows<OpenInvitation>(db, `${SELECT_OPEN} AND token_hash = $1`, [tokenHash]);
  return row;
}

/** Open invitations to all accounts. */
export function listOpenInvitationsByEmail(tx: EntityManager, email: string): Promise<OpenInvitation[]> {
  return queryRows<OpenInvitation>(
    tx,
    `${SELECT_OPEN} AND email = $1 ORDER BY invitation.created_at, invitation.id`,
    [email],
  );
}

export async function setInvitationMailed(
  manager: EntityManager,
  id: string,
  isMailed: boolean,
): Promise<void> {
  await manager.update(Invitation, { id }, { isMailed });
}

/** @returns false if it was accepted, withdrawn or replaced meanwhile, or has expired */
export async function markInvitationAccepted(tx: EntityManager, id: string): Promise<boolean> {
  // now() is the start of this transaction; the invitation may have been withdrawn since.
  const expiresAt = Raw((column) => `${column} > clock_timestamp()`);
  const isOpen = { id, acceptedAt: IsNull(), expiresAt };
  const changed = await tx.update(Invitation, isOpen, { acceptedAt: () => 'now()' });
  return changed.affected === 1;
}

/** Newest first; those that were neither accepted nor have expired. */
export function listOpenInvitations({ manager }: DataSource, accountId: string): Promise<Invitation[]> {
  return manager
    .createQueryBuilder(Invitation, 'invitation')
    .where('invitation.accountId = :accountId', { accountId })
    .andWhere('invitation.acceptedAt IS NULL AND invitation.expiresAt > now()')
    .orderBy('invitation.createdAt', 'DESC')
    .getMany();
}
