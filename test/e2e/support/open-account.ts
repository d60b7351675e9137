import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { ConsoleClient } from './console-client.js';
import type { Account, RunningService } from './running-service.js';

/**
 * Opens an account with one key, as `accounts create` does, but without its audit event: an operator command costs a second of
 * CPU time. Writes the rows of the account and of a signed-in owner, who makes the key in the console and is then removed.
 *
 * @param credits opening balance
 */
export async function openAccount(service: RunningService, credits: number): Promise<Account> {
  const [accountId, userId] = [randomUUID(), randomUUID()];
  const token = randomBytes(32).toString('base64url');
  await service.query(
    `WITH account_row AS (INSERT INTO account (id, name, balance) VALUES ($1, 'an organisation', $2)),
       entry AS (
         INSERT INTO credit_entry (account_id, kind, amount, note)
         SELECT $1, 'grant', $2::bigint, 'opening balance' WHERE $2::bigint > 0
       ),
       person AS (INSERT INTO app_user (id, email, name) VALUES ($3, $5, 'owner')),
       member AS (INSERT INTO membership (user_id, account_id, role) VALUES ($3, $1, 'owner'))
     INSERT INTO user_session (id, token_hash, user_id, account_id, expires_at, two_factors)
     VALUES (gen_random_uuid(), $4, $3, $1, now() + interval '1 hour', true)`,
    [accountId, credits, userId, createHash('sha256').update(token).digest(), `${userId}@localhost`],
  );
  const browser = new ConsoleClient(service, service.settings['PUBLIC_URL'] ?? service.baseUrl);
  // Its name depends on the URL of the service.
  browser.cookie = `__Host-zephyr_session=${token}; zephyr_session=${token}`;
  const key = await browser.request<{ api_key: string }>('POST', 'keys', { name: 'first key' });
  if (key.status !== 200) throw new Error(`Making the key failed with ${key.status}.`);
  await service.query('DELETE FROM app_user WHERE id = $1', [userId]);
  return { account_id: accountId, api_key: key.body.api_key };
}
