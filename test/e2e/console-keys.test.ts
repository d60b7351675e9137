import { beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { until } from './support/until.js';

const SCRIPT = '<script>alert(1)</script>';

interface Key {
  id: string;
  name: string;
  created_by: { email: string } | null;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  open_jobs: number;
  limits: Record<string, number>;
}

let service: RunningService;
let accountId: string;
let owner: ConsoleClient;
let member: ConsoleClient;
let viewer: ConsoleClient;
let stranger: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  ({ account_id: accountId } = await service.openAccount(1000));
  const users = new ConsoleUsers(service, accountId);
  owner = await users.createWithPassword('owner@keys.example.org');
  member = await users.createWithPassword('member@keys.example.org', 'member');
  viewer = await users.createWithPassword('viewer@keys.example.org', 'viewer');
  const other = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  stranger = await other.createWithPassword('stranger@keys.example.org');
});

async function createKey(browser: ConsoleClient, name: string, expires_at?: string) {
  const { status, body } = await browser.request<{ id: string; api_key: string }>('POST', 'keys', {
    name,
    ...(expires_at !== undefined && { expires_at }),
  });
  expect(status).toBe(200);
  return body;
}

async function findKey(browser: ConsoleClient, id: string): Promise<Key | undefined> {
  const { body } = await browser.request<{ keys: Key[] }>('GET', 'keys');
  return body.keys.find((key) => key.id === id);
}

async function callAccount(apiKey: string): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v1/account`, { headers: { 'x-api-key': apiKey } });
  await response.text();
  return response.status;
}

describe('keys in the console', () => {
  it('a created key is shown once, works, and its list entry says who made it and when it was used', async () => {
    const { id, api_key } = await createKey(member, SCRIPT);
    expect(await findKey(viewer, id)).toMatchObject({
      name: SCRIPT,
      created_by: { email: 'member@keys.example.org' },
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      limits: {},
    });
    expect(await callAccount(api_key)).toBe(200);
    await until('its use is written', async () => (await findKey(viewer, id))?.last_used_at !== null);
    const listed = await viewer.request('GET', 'keys');
    expect(JSON.stringify(listed.body)).not.toContain(api_key);
  });

  it('the list has the number of jobs in process that a key created', async () => {
    const { id, api_key } = await createKey(member, 'with jobs');
    const caller = await service.client(api_key);
    const [first] = [await caller.create({ file_size: 1 }), await caller.create({ file_size: 1 })];
    expect((await findKey(viewer, id))?.open_jobs).toBe(2);
    await caller.post('/jobs/cancel', { job_id: first.job_id });
    expect((await findKey(viewer, id))?.open_jobs).toBe(1);
    expect((await findKey(viewer, (await createKey(member, 'without')).id))?.open_jobs).toBe(0);
  });

  it('an expired key is refused, and a past or malformed expiry is rejected', async () => {
    const { id, api_key } = await createKey(member, 'short', new Date(Date.now() + 3_000).toISOString());
    expect(await callAccount(api_key)).toBe(200);
    await until('it has expired', async () => (await callAccount(api_key)) === 401);
    expect((await findKey(member, id))?.revoked_at).toBeNull();
    for (const expires_at of ['2020-01-01T00:00:00Z', 'tomorrow'])
      expect(await member.request('POST', 'keys', { name: 'x', expires_at })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'expires_at' }] },
      });
  });

  it('members revoke their own keys, admins all, and other accounts none', async () => {
    const own = await createKey(member, 'own');
    const ofOwner = await createKey(owner, 'of the owner');
    expect((await member.request('DELETE', `keys/${ofOwner.id}`)).status).toBe(403);
    expect((await stranger.request('DELETE', `keys/${own.id}`)).status).toBe(404);
    expect((await viewer.request('DELETE', `keys/${own.id}`)).status).toBe(403);
    expect((await viewer.request('POST', 'keys', { name: 'x' })).status).toBe(403);
    expect(await callAccount(own.api_key)).toBe(200);
    expect((await member.request('DELETE', `keys/${own.id}`)).status).toBe(204);
    expect(await callAccount(own.api_key)).toBe(401);
    const another = await createKey(member, 'another');
    expect((await owner.request('DELETE', `keys/${another.id}`)).status).toBe(204);
    expect((await owner.request('DELETE', `keys/${another.id}`)).status).toBe(204);
    const audit = await owner.request<{ events: object[] }>('GET', 'audit?action=key.revoked');
    expect(audit.body.events).toMatchObject([
      { target: another.id, details: { name: 'another' } },
      { target: own.id, details: { name: 'own' } },
    ]);
    expect(
      (await stranger.request<{ keys: Key[] }>('GET', 'keys')).body.keys.map(({ id }) => id),
    ).not.toContain(ofOwner.id);
  });
});

it('the audit log names the key that changed something', async () => {
  const { id, api_key } = await createKey(member, 'build server');
  const caller = await service.client(api_key);
  const { job_id } = await caller.create({ file_size: 1 });
  expect((await caller.post('/jobs/cancel', { job_id })).status).toBe(200);
  const { body } = await owner.request('GET', `audit?target=${job_id}`);
  expect(body.events).toMatchObject([
    { action: 'job.cancelled', actor: { kind: 'key', id, name: 'build server' } },
  ]);
});

it('the audit log is searched by who changed something', async () => {
  const { api_key, id } = await createKey(member, 'searched');
  const caller = await service.client(api_key);
  const { job_id } = await caller.create({ file_size: 1 });
  await caller.post('/jobs/cancel', { job_id });
  const list = async (query: string) => {
    const { body } = await owner.request<{ events: { actor: { kind: string; id: string | null } }[] }>(
      'GET',
      `audit?${query}`,
    );
    return body.events;
  };
  for (const kind of ['user', 'key'])
    expect(new Set((await list(`actor_kind=${kind}`)).map(({ actor }) => actor.kind))).toEqual(
      new Set([kind]),
    );
  expect(await list(`actor_kind=key&actor=${id}`)).toMatchObject([{ target: job_id }]);
  expect(await list(`actor_kind=user&actor=${id}`)).toEqual([]);
  expect(await owner.request('GET', 'audit?actor_kind=nobody')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'actor_kind', message: 'must be one of user, key, operator, system' }] },
  });
});

describe('requests for higher limits', () => {
  it('an admin asks, the operator grants, and both see it', async () => {
    const { id: key_id } = await createKey(owner, 'busy');
    const request = { key_id, limit: 'upload', requests_per_minute: 500, reason: SCRIPT };
    expect((await member.request('POST', 'limit-requests', request)).status).toBe(403);
    expect((await stranger.request('POST', 'limit-requests', request)).status).toBe(404);
    const { body } = await owner.request<{ id: string }>('POST', 'limit-requests', request);
    expect((await owner.request('POST', 'limit-requests', request)).status).toBe(409);
    const listed = await service.adminJson<{ id: string; key_id: string; reason: string }[]>(
      'limits',
      'list',
      '--pending',
      '--json',
    );
    expect(listed.filter((each) => each.key_id === key_id)).toMatchObject([
      { id: body.id, key_id, reason: SCRIPT, requested_by: 'owner@keys.example.org' },
    ]);
    await service.adminJson('limits', 'grant', body.id, '--per-minute', '400', '--answer', SCRIPT, '--json');
    expect((await findKey(viewer, key_id))?.limits).toEqual({ upload: 400 });
    const { requests } = (await viewer.request<{ requests: object[] }>('GET', 'limit-requests')).body;
    expect(requests).toMatchObject([{ state: 'granted', requests_per_minute: 400, answer: SCRIPT }]);
    expect((await service.admin('limits', 'decline', body.id)).code).toBe(1);
    expect((await owner.request('GET', 'audit?action=limit.')).body.events).toMatchObject([
      { action: 'limit.granted', details: { key: key_id, key_name: 'busy' } },
      { action: 'limit.requested', details: { key: key_id, key_name: 'busy' } },
    ]);
    expect((await stranger.request('GET', 'limit-requests')).body).toEqual({ requests: [] });
  });

  it('a declined request changes nothing', async () => {
    const { id: key_id } = await createKey(owner, 'calm');
    const request = { key_id, limit: 'jobs.get', requests_per_minute: 500, reason: 'more' };
    const { body } = await owner.request<{ id: string }>('POST', 'limit-requests', request);
    expect((await service.admin('limits', 'decline', body.id, '--answer', 'no')).code).toBe(0);
    expect((await findKey(viewer, key_id))?.limits).toEqual({});
  });
});

describe('the signing secret', () => {
  it('members reveal it, admins rotate it with an overlap, and viewers do neither', async () => {
    const reveal = () => member.request<{ secret: string }>('POST', 'signing-secret/reveal');
    const { secret } = (await reveal()).body;
    expect((await reveal()).body.secret).toBe(secret);
    expect((await viewer.request('POST', 'signing-secret/reveal')).status).toBe(403);
    expect((await member.request('POST', 'signing-secret/rotate', { overlap_hours: 1 })).status).toBe(403);
    expect((await owner.request('POST', 'signing-secret/rotate', { overlap_hours: -1 })).status).toBe(422);
    const { body } = await owner.request<{ secret: string; previous_until: string }>(
      'POST',
      'signing-secret/rotate',
      { overlap_hours: 2 },
    );
    expect(Date.parse(body.previous_until) - Date.now()).toBeGreaterThan(7_000_000);
    expect(body.secret).not.toBe(secret);
    expect((await reveal()).body.secret).toBe(body.secret);
    expect(
      (await stranger.request<{ secret: string }>('POST', 'signing-secret/reveal')).body.secret,
    ).not.toBe(body.secret);
  });
});
