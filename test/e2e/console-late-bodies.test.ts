import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});

/** Sends a request without the last byte of its body. @returns sends that byte, and reads the answer */
async function beginRequest({ cookie }: ConsoleClient, method: string, path: string, body: unknown) {
  const text = JSON.stringify(body);
  const sent = request(`${service.baseUrl}/console/api/${path}`, {
    method,
    headers: {
      origin: service.baseUrl,
      'x-console': '1',
      'content-type': 'application/json',
      'content-length': text.length,
      cookie: cookie ?? '',
    },
  });
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }));
    });
  });
  await new Promise<void>((resolve) => {
    sent.write(text.slice(0, -1), () => resolve());
  });
  return () => {
    sent.end(text.slice(-1));
    return answered;
  };
}

/** The guard has read the session once the request has marked it as used. */
async function waitUntilAdmitted(email: string) {
  await expect
    .poll(() =>
      service.query(
        `SELECT FROM user_session JOIN app_user ON app_user.id = user_id
         WHERE email = $1 AND last_seen_at < now() - interval '2 minutes'`,
        [email],
      ),
    )
    .toEqual([]);
}

/** A browser whose next request marks its session as used. */
async function createIdleUser(email: string): Promise<ConsoleClient> {
  const browser = await users.createWithPassword(email, 'admin');
  await service.query(
    `UPDATE user_session SET last_seen_at = now() - interval '3 minutes'
     WHERE user_id = (SELECT id FROM app_user WHERE email = $1)`,
    [email],
  );
  return browser;
}

describe('a request whose body ends after', () => {
  const invitation = { email: 'invited@late.example.org', role: 'member' };

  it('its member was removed changes nothing', async () => {
    const email = 'removed@late.example.org';
    const owner = await users.createWithPassword('owner@late.example.org');
    const browser = await createIdleUser(email);
    const members = await owner.request<{ members: { user_id: string; email: string }[] }>('GET', 'members');
    const userId = members.body.members.find((member) => member.email === email)?.user_id;
    const finish = await beginRequest(browser, 'POST', 'invitations', invitation);
    await waitUntilAdmitted(email);
    expect((await owner.request('DELETE', `members/${userId}`)).status).toBe(204);
    expect(await finish()).toMatchObject({ status: 403 });
    expect((await owner.request('GET', 'invitations')).body).toEqual({ invitations: [] });
  });

  it('its session has ended changes nothing', async () => {
    const email = 'left@late.example.org';
    const browser = await createIdleUser(email);
    const finish = await beginRequest(browser, 'POST', 'invitations', invitation);
    await waitUntilAdmitted(email);
    await service.query(
      'DELETE FROM user_session WHERE user_id = (SELECT id FROM app_user WHERE email = $1)',
      [email],
    );
    const { status, body } = await finish();
    expect({ status, body: JSON.parse(body) as unknown }).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    });
  });
});
