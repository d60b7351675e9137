import { beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

const UNKNOWN_ID = '0193a5c0-0000-7000-8000-000000000000';

let service: RunningService;
let users: ConsoleUsers;
let owner: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService('rateLimits');
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  owner = await users.createWithPassword('owner@limits.example.org');
});

/** What is refused counts as well. */
const ROUTES: [name: string, limit: number, method: string, path: string, body?: object][] = [
  ['test events', 10, 'POST', `webhook-endpoints/${UNKNOWN_ID}/test`],
  ['replays', 60, 'POST', `deliveries/${UNKNOWN_ID}/replay`],
  ['replays of all failed deliveries', 6, 'POST', 'deliveries/replay-failed', {}],
  ['new endpoints', 30, 'POST', 'webhook-endpoints', {}],
  ['reveals of the signing secret', 20, 'POST', 'signing-secret/reveal'],
  ['checkout pages', 10, 'POST', 'billing/top-ups', { credits: 10 }],
  ['payments that are asked for', 30, 'POST', `billing/payments/${UNKNOWN_ID}/refresh`],
  ['removals of the card', 10, 'DELETE', 'billing/card', {}],
  ['invitations', 20, 'POST', 'invitations', {}],
  ['new keys', 30, 'POST', 'keys', {}],
  ['requests for higher limits', 10, 'POST', 'limit-requests', {}],
];

/** They are counted together. */
const CHANGES: [method: string, path: string][] = [
  ['PUT', 'profile/name'],
  ['PUT', 'profile/password'],
  ['PUT', `profile/passkeys/${'a'.repeat(43)}`],
  ['PUT', 'account'],
  ['PUT', 'account/retention'],
  ['PUT', 'account/two-factors'],
  ['PUT', `members/${UNKNOWN_ID}/role`],
  ['POST', 'vocabularies'],
  ['PUT', `vocabularies/${UNKNOWN_ID}`],
  ['DELETE', `vocabularies/${UNKNOWN_ID}`],
];

/** The user has set a password a moment ago. */
async function exhaustChanges(user: ConsoleClient): Promise<void> {
  for (let sent = 1; sent < 30; sent += 1)
    expect((await user.request('PUT', 'profile/name', {})).status).toBe(422);
}

describe('limits per user and minute', () => {
  it.each(ROUTES)('%s: %i', async (_, limit, method, path, body) => {
    for (let sent = 0; sent < limit; sent += 1)
      expect((await owner.request(method, path, body)).status).not.toBe(429);
    const refused = await owner.request(method, path, body);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limit_exceeded' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('changes of profile, account, members and vocabularies: 30 together', async () => {
    await exhaustChanges(owner);
    for (const [method, path] of CHANGES)
      expect((await owner.request(method, path, {})).status, `${method} ${path}`).toBe(429);
  });

  it('are counted for a user who is a member of no account, too', async () => {
    const former = await users.createWithPassword('former@limits.example.org');
    expect((await former.request('POST', 'members/leave')).status).toBe(204);
    await exhaustChanges(former);
    expect((await former.request('PUT', 'profile/name', {})).status).toBe(429);
  });

  it('are counted for each user', async () => {
    const colleague = await users.createWithPassword('colleague@limits.example.org');
    expect((await colleague.request('POST', 'keys', {})).status).toBe(422);
  });
});
