import { beforeAll, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

const SCRIPT = '<script>alert(1)</script>';

let service: RunningService;
let owner: ConsoleClient;
let viewer: ConsoleClient;
let stranger: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  const { account_id, api_key } = await service.openAccount(1000);
  await service.admin('credits', 'grant', '--account', account_id, '--credits', '5', '--note', SCRIPT);
  const headers = { 'x-api-key': api_key, 'content-type': 'application/json' };
  const body = JSON.stringify({ file_size: 1 });
  const created = await fetch(`${service.baseUrl}/api/v1/upload`, { method: 'POST', headers, body });
  expect(created.status).toBe(200);
  const users = new ConsoleUsers(service, account_id);
  owner = await users.createWithPassword('owner@usage.example.org');
  viewer = await users.createWithPassword('viewer@usage.example.org', 'viewer');
  const other = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  stranger = await other.createWithPassword('stranger@usage.example.org', 'viewer');
});

it('usage lists the jobs of the account by day, key and kind', async () => {
  const { body } = await viewer.request('GET', 'usage?days=2');
  expect(body).toMatchObject({
    days: 2,
    rows: [{ key: { id: expect.any(String) }, kind: 'upload', created: 1, completed: 0, credits: 0 }],
  });
  expect((await stranger.request('GET', 'usage')).body).toMatchObject({ days: 30, rows: [] });
});

it('balance and ledger are those of the account, with notes as text', async () => {
  expect((await viewer.request('GET', 'balance')).body).toEqual({
    balance: 1005,
    held: 0,
    owed: 0,
    disputed: false,
    suspended: false,
    alert_below: null,
    payments_to_confirm: 0,
    recharge_paused: false,
    recharges: false,
    credits_per_second: 1,
  });
  const { body } = await viewer.request<{ entries: { id: number }[] }>('GET', 'ledger');
  expect(body).toMatchObject({ entries: [{ amount: 5, note: SCRIPT }, { amount: 1000 }], next_before: null });
  const older = await viewer.request('GET', `ledger?before=${body.entries[0]?.id}`);
  expect(older.body).toMatchObject({ entries: [{ amount: 1000 }] });
  expect((await stranger.request('GET', 'ledger')).body).toEqual({ entries: [], next_before: null });
});

it.each(['usage?days=0', 'usage?days=93', 'usage?from=2026-13-01', 'usage?from=x', 'ledger?before=x'])(
  'GET %s is rejected',
  async (path) => {
    expect((await viewer.request('GET', path)).status).toBe(422);
  },
);

it('without Stripe, billing says that the operator collects payments, and nothing can be bought', async () => {
  const { status, body } = await owner.request('GET', 'billing');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      balance: 1005,
      auto_recharge: null,
      card_payments: null,
      sends_mail: false,
      credits_per_second: 1,
    },
  });
  const recharge = { credits: 10, below: 1 };
  for (const answer of [
    await owner.request('POST', 'billing/top-ups', { credits: 10 }),
    await owner.request('PUT', 'billing/auto-recharge', recharge),
    await owner.request('DELETE', 'billing/auto-recharge'),
    await owner.request('DELETE', 'billing/card', {}),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect((await owner.request('GET', 'billing/payments')).body).toEqual({ payments: [], next_before: null });
  expect((await owner.request('GET', 'billing/payments?before=x')).status).toBe(422);
});

it('the alert of a low balance is set, shown to everybody, recorded and removed', async () => {
  expect((await owner.request('PUT', 'billing/alert', { below: 2000 })).status).toBe(204);
  expect((await viewer.request('GET', 'balance')).body).toMatchObject({ alert_below: 2000 });
  for (const below of [0, 1.5, '7'])
    expect(await owner.request('PUT', 'billing/alert', { below })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'below' }] },
    });
  expect((await owner.request('PUT', 'billing/alert', { below: null })).status).toBe(204);
  expect((await viewer.request('GET', 'balance')).body).toMatchObject({ alert_below: null });
  const audit = await owner.request<{ events: unknown[] }>('GET', 'audit?action=payment.alert_changed');
  expect(audit.body.events).toMatchObject([
    { action: 'payment.alert_changed', details: { below: null } },
    { action: 'payment.alert_changed', details: { below: 2000 }, actor: { name: 'owner@usage.example.org' } },
  ]);
});
