import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';
import { enableSecondFactor } from './support/totp.js';

let service: RunningService;
let users: ConsoleUsers;

beforeAll(async () => {
  service = await useSharedService();
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});

describe('the columns about a user', () => {
  it('are these, and none has an age, a question or a number of a telephone', async () => {
    const rows = await service.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'app_user' ORDER BY column_name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'address_proved',
      'created_at',
      'disabled_at',
      'email',
      'id',
      'last_account_id',
      'name',
      'password_hash',
    ]);
  });

  it('are referred to by the credentials that people.md names, and no others', async () => {
    const rows = await service.query(
      `SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
       WHERE confrelid = 'app_user'::regclass AND confdeltype = 'c' ORDER BY name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'command_line_sign_in',
      'external_identity',
      'membership',
      'passkey',
      'recovery_code',
      'sign_in_challenge',
      'sign_in_link',
      'totp_enrollment',
      'totp_secret',
      'user_session',
    ]);
  });
});

it('a password of ten years ago signs in', async () => {
  const email = 'old@credentials.example.org';
  await users.createWithPassword(email);
  await service.query(`UPDATE app_user SET created_at = now() - interval '10 years' WHERE email = $1`, [
    email,
  ]);
  const browser = new ConsoleClient(service);
  expect((await browser.request('POST', 'sign-in', { email, password: PASSWORD })).status).toBe(200);
  expect((await browser.request('GET', 'jobs')).status).toBe(200);
});

it('the database has neither recovery codes nor the secret of the app in clear text', async () => {
  const email = 'stored@credentials.example.org';
  const browser = await users.createWithPassword(email);
  const { secret, recoveryCodes: codes } = await enableSecondFactor(browser);
  expect(codes).toHaveLength(10);
  const stored = await service.query(
    `SELECT encode(sealed, 'escape') AS text, sealed AS bytes FROM totp_secret JOIN app_user ON app_user.id = user_id
     WHERE email = $1
     UNION ALL
     SELECT encode(code_hash, 'escape'), code_hash FROM recovery_code JOIN app_user ON app_user.id = user_id
     WHERE email = $1`,
    [email],
  );
  expect(stored).toHaveLength(11);
  const hidden = [secret, PASSWORD, ...codes, ...codes.map((code) => code.replaceAll('-', ''))];
  for (const { text } of stored) for (const each of hidden) expect(String(text)).not.toContain(each);
  // Shown once: no route returns them again.
  for (const path of ['session', 'profile/sessions', 'profile/passkeys', 'profile/events']) {
    const answer = JSON.stringify((await browser.request('GET', path)).body);
    for (const each of hidden) expect(answer, path).not.toContain(each);
  }
});
