import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ConsoleClient } from './console-client.js';
import type { Account, CreatedKey, RunningService } from './running-service.js';

/**
 * Opens an account with one key, as `accounts create` does, but without its audit event: an operator command costs a second of
 * CPU time.
 *
 * @param credits opening balance
 */
export async function openAccount(service: RunningService, credits: number): Promise<Account> {
  const accountId = randomUUID();
  await service.query(
    `WITH account_row AS (INSERT INTO account (id, name, balance) VALUES ($1, 'an organisation', $2))
     INSERT INTO credit_entry (account_id, kind, amount, note)
     SELECT $1, 'grant', $2::bigint, 'opening balance' WHERE $2::bigint > 0`,
    [accountId, credits],
  );
  const { api_key } = await createKey(service, accountId, 'first key');
  return { account_id: accountId, api_key };
}

/**
 * Makes a key as `keys create` does. Writes the rows of a signed-in owner, who makes the key in the console and is then
 * removed.
 */
export async function createKey(
  service: RunningService,
  accountId: string,
  name: string,
): Promise<CreatedKey> {
  const userId = randomUUID();
  const token = randomBytes(32).toString('base64url');
  await service.query(
    `WITH person AS (INSERT INTO app_user (id, email, name) VALUES ($2, $4, 'owner')),
       member AS (INSERT INTO membership (user_id, account_id, role) VALUES ($2, $1, 'owner'))
     INSERT INTO user_session (id, token_hash, user_id, account_id, expires_at, two_factors)
     VALUES (gen_random_uuid(), $3, $2, $1, now() + interval '1 hour', true)`,
    [accountId, userId, createHash('sha256').update(token).digest(), `${userId}@localhost`],
  );
  const browser = new ConsoleClient(service, service.settings['PUBLIC_URL'] ?? service.baseUrl);
  // Its name depends on the URL of the service.
  browser.cookie = `__Host-zephyr_session=${token}; zephyr_session=${token}`;
  const key = await browser.request<{ id: string; api_key: string }>('POST', 'keys', { name });
  if (key.status !== 200) throw new Error(`Making the key failed with ${key.status}.`);
  await service.query('DELETE FROM app_user WHERE id = $1', [userId]);
  return { key_id: key.body.id, api_key: key.body.api_key };
}

/** Changes the balance as `credits grant` does; a negative number takes credits away. */
export async function grantCredits(
  service: RunningService,
  accountId: string,
  credits: number,
): Promise<void> {
  await service.query(
    `WITH entry AS (INSERT INTO credit_entry (account_id, kind, amount) VALUES ($1, 'grant', $2::bigint))
     UPDATE account SET balance = balance + $2::bigint WHERE id = $1`,
    [accountId, credits],
  );
}
