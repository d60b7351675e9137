import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

let service: RunningService;
let accountId: string;
let otherAccountId: string;
let browser: ConsoleClient;
let victim: string;

beforeAll(async () => {
  service = await useSharedService();
  ({ account_id: accountId } = await service.openAccount(1_000));
  ({ account_id: otherAccountId } = await service.openAccount(0));
  browser = await new ConsoleUsers(service, accountId).createWithPassword('admin@added.example.org', 'admin');
  const others = new ConsoleUsers(service, otherAccountId);
  const { body } = await (
    await others.createWithPassword('victim@added.example.org')
  ).request<{ user: { id: string } }>('GET', 'session');
  victim = body.user.id;
});

/** Fields of rows, as an attacker guesses them. */
const buildAddedFields = () => ({
  id: randomUUID(),
  account_id: otherAccountId,
  accountId: otherAccountId,
  user_id: victim,
  userId: victim,
  actor: { id: victim },
  created_by: victim,
  email: 'victim@added.example.org',
  is_admin: true,
  role: 'owner',
  permissions: ['account.write'],
  balance: 1_000_000,
  two_factors: true,
  has_two_factors: true,
  address_proved: true,
  disabled_at: null,
  suspended_at: null,
  password_hash: 'x',
  ['__proto__']: { role: 'owner' },
  constructor: { prototype: { role: 'owner' } },
});

/** Everything that the added fields could change, but for what the requests are meant to change. */
const readState = async () => ({
  accounts: await service.query(
    `SELECT id, balance, suspended_at, requires_two_factors FROM account WHERE id = ANY($1) ORDER BY id`,
    [[accountId, otherAccountId]],
  ),
  users: await service.query(
    `SELECT id, email, address_proved, disabled_at FROM app_user WHERE email LIKE '%@added.example.org' ORDER BY email`,
  ),
  memberships: await service.query(
    `SELECT user_id, account_id, role FROM membership WHERE account_id = ANY($1) ORDER BY user_id`,
    [[accountId, otherAccountId]],
  ),
  othersRows: await service.query(
    `SELECT (SELECT count(*) FROM api_key WHERE account_id = $1) AS keys,
       (SELECT count(*) FROM invitation WHERE account_id = $1) AS invitations,
       (SELECT count(*) FROM webhook_endpoint WHERE account_id = $1) AS endpoints,
       (SELECT count(*) FROM vocabulary WHERE account_id = $1) AS vocabularies,
       (SELECT count(*) FROM job WHERE account_id = $1) AS jobs`,
    [otherAccountId],
  ),
  passwordOfVictim: await service.query('SELECT password_hash FROM app_user WHERE id = $1', [victim]),
});

it.each<[string, string, object, number]>([
  ['PUT', 'profile/name', { name: 'Ada' }, 204],
  ['PUT', 'profile/password', { current_password: PASSWORD, password: PASSWORD }, 204],
  ['POST', 'profile/sessions/end-others', { current_password: PASSWORD }, 200],
  ['POST', 'keys', { name: 'mine' }, 200],
  ['POST', 'invitations', { email: 'invited@added.example.net', role: 'viewer' }, 200],
  ['POST', 'vocabularies', { name: 'Mine', terms: ['Ada'] }, 200],
  [
    'POST',
    'webhook-endpoints',
    { url: 'http://127.0.0.1:9/', description: '', events: ['failed'], enabled: true },
    200,
  ],
  ['POST', 'upload', { file_size: 100, metadata: { file_name: 'a.wav' } }, 200],
  ['PUT', 'account/retention', { transcript_days: 20, delete_older_transcripts: true }, 204],
])('fields of %s %s that no route describes change nothing', async (method, path, body, expected) => {
  const before = await readState();
  // The fields of the route win, so that the request is valid.
  const { status } = await browser.request(method, path, { ...buildAddedFields(), ...body });
  expect(status).toBe(expected);
  const after = await readState();
  expect(after).toEqual(before);
  expect((await browser.request('GET', 'session')).body).toMatchObject({
    user: { email: 'admin@added.example.org' },
    two_factors: false,
    account: { id: accountId, role: 'admin' },
  });
});
