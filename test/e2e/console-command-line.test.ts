import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

interface Started {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

interface Polled {
  state: string;
  api_key: string | null;
}

let service: RunningService;
let accountId: string;
let users: ConsoleUsers;
let email: string;
let owner: ConsoleClient;
let commandLine: ConsoleClient;

beforeAll(async () => {
  service = await useSharedService();
  ({ account_id: accountId } = await service.openAccount(0));
  users = new ConsoleUsers(service, accountId);
  commandLine = new ConsoleClient(service);
});

/** Attempts are counted for each user. */
beforeEach(async () => {
  email = `owner-${randomUUID()}@command-line.example.org`;
  owner = await users.createWithPassword(email);
});

async function start(machine = 'laptop'): Promise<Started> {
  const { status, body } = await commandLine.request<Started>('POST', 'command-line/start', { machine });
  expect(status).toBe(200);
  return body;
}

/** As if the interval were over. */
async function poll({ device_code }: Started): Promise<Polled> {
  await service.query(
    `UPDATE command_line_sign_in SET polled_at = polled_at - interval '1 minute' WHERE device_code_hash = sha256($1::bytea)`,
    [Buffer.from(device_code)],
  );
  return (await commandLine.request<Polled>('POST', 'command-line/poll', { device_code })).body;
}

const approve = (browser: ConsoleClient, user_code: string, name = 'zephyr on laptop') =>
  browser.request('POST', 'command-line/approve', { user_code, name });

async function findAuditEvents(action: string) {
  const { body } = await owner.request<{
    events: {
      action: string;
      actor: { name: string };
      target: string | null;
      details: Record<string, unknown>;
    }[];
  }>('GET', `audit?action=${action}`);
  return body.events;
}

describe('a sign-in of the command line', () => {
  it('gets a key of the account of who approves it, once, and the audit log has both steps', async () => {
    const started = await start();
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/) as string,
      verification_uri: `${service.baseUrl}/console/command-line`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(started)).toEqual({ state: 'pending', api_key: null });
    const typed = started.user_code.toLowerCase().replace('-', ' ');
    const preview = await owner.request('POST', 'command-line/preview', { user_code: typed });
    expect(preview).toMatchObject({ status: 200, body: { machine: 'laptop', address: '127.0.0.1' } });
    expect((await approve(owner, typed)).status).toBe(204);
    const approved = await poll(started);
    expect(approved.state).toBe('approved');
    const response = await fetch(`${service.baseUrl}/api/v1/account`, {
      headers: { 'x-api-key': approved.api_key ?? '' },
    });
    expect(await response.json()).toMatchObject({ api_key: { name: 'zephyr on laptop' } });
    expect(await poll(started)).toEqual({ state: 'ended', api_key: null });
    const details = { name: 'zephyr on laptop', machine: 'laptop', expires_at: null };
    const actor = { name: email };
    expect((await findAuditEvents('key.approved'))[0]).toMatchObject({ details, actor });
    const target = expect.any(String) as string;
    expect((await findAuditEvents('key.created'))[0]).toMatchObject({ details, actor, target });
    expect(JSON.stringify(await findAuditEvents('key.'))).not.toContain(approved.api_key);
  });

  it('is told to slow down when it asks before the interval is over, also when it is approved', async () => {
    const started = await start();
    await poll(started);
    await approve(owner, started.user_code);
    const { device_code } = started;
    const early = await commandLine.request('POST', 'command-line/poll', { device_code });
    expect(early.body).toEqual({ state: 'slow_down', api_key: null });
    expect((await poll(started)).state).toBe('approved');
  });

  it('ends when it is refused, and cannot be approved any more', async () => {
    const started = await start();
    const { user_code } = started;
    expect((await owner.request('POST', 'command-line/refuse', { user_code })).status).toBe(204);
    expect((await poll(started)).state).toBe('ended');
    expect((await findAuditEvents('key.refused'))[0]).toMatchObject({
      details: { machine: expect.any(String) as string },
    });
    expect(await approve(owner, user_code)).toMatchObject({
      status: 404,
      body: { code: 'no_such_resource' },
    });
  });

  it('ends after ten minutes, approved or not', async () => {
    const [waiting, approved] = [await start(), await start()];
    await approve(owner, approved.user_code);
    await service.query(
      `UPDATE command_line_sign_in SET expires_at = expires_at - interval '601 seconds'
       WHERE device_code_hash IN (sha256($1::bytea), sha256($2::bytea))`,
      [Buffer.from(waiting.device_code), Buffer.from(approved.device_code)],
    );
    expect((await approve(owner, waiting.user_code)).status).toBe(404);
    expect((await poll(waiting)).state).toBe('ended');
    expect((await poll(approved)).state).toBe('ended');
  });

  it('is approved by one member only', async () => {
    const { user_code } = await start();
    const admin = await users.createWithPassword('admin@command-line.example.org', 'admin');
    expect((await approve(owner, user_code)).status).toBe(204);
    expect((await approve(admin, user_code)).status).toBe(404);
    expect((await owner.request('POST', 'command-line/refuse', { user_code })).status).toBe(404);
  });

  it.each([
    ['is no member any more', 'DELETE FROM membership WHERE account_id = $1 AND user_id = $2'],
    [
      'may not create keys any more',
      `UPDATE membership SET role = 'viewer' WHERE account_id = $1 AND user_id = $2`,
    ],
    ['is disabled', 'UPDATE app_user SET disabled_at = now() WHERE $1::uuid IS NOT NULL AND id = $2'],
  ])('gets no key if who has approved it %s', async (reason, sql) => {
    const address = `${reason.replaceAll(' ', '-')}@command-line.example.org`;
    const member = await users.createWithPassword(address, 'member');
    const started = await start();
    expect((await approve(member, started.user_code)).status).toBe(204);
    const [user] = await service.query<{ id: string }>('SELECT id FROM app_user WHERE email = $1', [address]);
    await service.query(sql, [accountId, user?.id]);
    expect(await poll(started)).toEqual({ state: 'ended', api_key: null });
  });

  it('gets no key of an account that was suspended since', async () => {
    const { account_id: id } = await service.openAccount(0);
    const other = await new ConsoleUsers(service, id).createWithPassword(
      'suspended@command-line.example.org',
    );
    const started = await start();
    expect((await approve(other, started.user_code)).status).toBe(204);
    await service.query('UPDATE account SET suspended_at = now() WHERE id = $1', [id]);
    expect((await poll(started)).state).toBe('ended');
  });

  it('has one key when two requests ask for it at the same time', async () => {
    const started = await start();
    await approve(owner, started.user_code);
    const { device_code } = started;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        commandLine.request<Polled>('POST', 'command-line/poll', { device_code }),
      ),
    );
    expect(answers.filter(({ body }) => body.api_key !== null)).toHaveLength(1);
  });

  it('has neither code nor key in the database', async () => {
    const started = await start();
    await approve(owner, started.user_code);
    const [row] = await service.query<{ text: string }>(
      `SELECT string_agg(waiting::text, ' ') AS text FROM command_line_sign_in waiting`,
    );
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const secret of [started.device_code, started.user_code, started.user_code.replace('-', '')]) {
      expect(row?.text).not.toContain(secret);
      expect(row?.text).not.toContain(hex(secret));
    }
  });

  it('cannot be found by guessing: codes are counted for each user', async () => {
    const guesser = await users.createWithPassword('guesser@command-line.example.org', 'member');
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push(
        (await guesser.request('POST', 'command-line/preview', { user_code: 'BBBB-BBBB' })).status,
      );
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 404));
    expect(statuses[10]).toBe(429);
    const { user_code } = await start();
    expect((await approve(guesser, user_code)).status).toBe(429);
  });
});
