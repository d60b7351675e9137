import { Passkey, queryRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

/** Oldest first. */
export function listPasskeys({ manager }: Pick<DataSource, 'manager'>, userId: string): Promise<Passkey[]> {
  return manager.find(Passkey, { where: { userId }, order: { createdAt: 'ASC' } });
}

/** @returns false if the authenticator's credential is known already, whoever has it */
export async function insertPasskey(
  tx: EntityManager,
  row: Pick<Passkey, 'id' | 'userId' | 'name' | 'publicKey' | 'counter' | 'transports'>,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    `INSERT INTO passkey (id, user_id, name, public_key, counter, transports) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING RETURNING id`,
    [row.id, row.userId, row.name, row.publicKey, row.counter, row.transports],
  );
  return rows.length === 1;
}

/** Locks the row, so that two sign-ins at once compare its counter one after the other. Passkeys of disabled users are not found. */
export async function lockPasskeyRow(
  tx: EntityManager,
  id: string,
): Promise<Pick<Passkey, 'userId' | 'publicKey' | 'counter'> | undefined> {
  const [row] = await queryRows<Pick<Passkey, 'userId' | 'publicKey' | 'counter'>>(
    tx,
    `SELECT user_id AS "userId", public_key AS "publicKey", counter
     FROM passkey JOIN app_user ON app_user.id = passkey.user_id
     WHERE passkey.id = $1 AND disabled_at IS NULL FOR UPDATE OF passkey`,
    [id],
  );
  return row;
}

export async function recordPasskeyUse(tx: EntityManager, id: string, counter: number): Promise<void> {
  await tx.update(Passkey, { id }, { counter, lastUsedAt: () => 'now()' });
}
