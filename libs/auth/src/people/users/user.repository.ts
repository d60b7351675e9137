import { queryRows, User } from '@app/database';
import { type DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { normalizeEmail } from './mail-address.js';

export interface UserWithAccounts {
  id: string;
  email: string;
  name: string;
  isAddressProved: boolean;
  disabledAt: Date | null;
  createdAt: Date;
  lastSeenAt: Date | null;
  accounts: { account_id: string; name: string; role: string }[];
}

/** @param email in any case */
export function findUserByEmail(
  { manager }: Pick<DataSource, 'manager'>,
  email: string,
): Promise<User | null> {
  return manager.findOneBy(User, { email: normalizeEmail(email) });
}

export async function setUserPasswordHash(
  db: EntityManager,
  userId: string,
  passwordHash: string | null,
): Promise<void> {
  await db.update(User, { id: userId }, { passwordHash });
}

/**
 * Until the end of the transaction, nobody changes the password or disables the user.
 * @returns false if somebody has meanwhile
 */
export async function lockUserIfPasswordHashIs(
  tx: EntityManager,
  userId: string,
  passwordHash: string | null,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    `SELECT id FROM app_user WHERE id = $1 AND password_hash IS NOT DISTINCT FROM $2 AND disabled_at IS NULL FOR NO KEY UPDATE`,
    [userId, passwordHash],
  );
  return rows.length === 1;
}

/** @returns false if nothing changed: the user is unknown or already in that state */
export async function setUserDisabled(
  db: EntityManager,
  userId: string,
  disabled: boolean,
): Promise<boolean> {
  const changed = await db.update(
    User,
    { id: userId, disabledAt: disabled ? IsNull() : Not(IsNull()) },
    { disabledAt: disabled ? () => 'now()' : null },
  );
  return changed.affected === 1;
}

/** By mail address. */
export function listUsers(db: DataSource): Promise<UserWithAccounts[]> {
  return queryRows<UserWithAccounts>(
    db,
    `SELECT app_user.id, email, app_user.name, address_proved AS "isAddressProved", disabled_at AS "disabledAt", app_user.created_at AS "createdAt",
       (SELECT max(last_seen_at) FROM user_session WHERE user_id = app_user.id) AS "lastSeenAt",
       COALESCE((
         SELECT json_agg(json_build_object('account_id', account.id, 'name', account.name, 'role', membership.role)
                         ORDER BY account.name)
         FROM membership JOIN account ON account.id = membership.account_id
         WHERE membership.user_id = app_user.id), '[]') AS accounts
     FROM app_user ORDER BY email`,
  );
}
