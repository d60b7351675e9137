import { User } from '@app/database';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PasswordResetLinkMailer } from '../../apps/api/src/console/sign-in/password-reset-link-mailer.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;

beforeAll(async () => (world = await createJobWorld()));
afterAll(() => world.close());

it('a link that could not be mailed is deleted, and links to sign in do not count', async () => {
  const id = crypto.randomUUID();
  const user = { id, email: 'vera@example.org', name: 'Vera', disabledAt: null };
  await world.dataSource.manager.insert(User, user);
  await world.rows(
    `INSERT INTO sign_in_link (token_hash, user_id, purpose, expires_at)
     SELECT sha256(n::text::bytea), $1, 'sign_in', now() + interval '1 hour' FROM generate_series(1, 5) n`,
    id,
  );
  const count = async () =>
    (await world.rows(`SELECT 1 FROM sign_in_link WHERE purpose = 'set_password'`)).length;
  const results: string[] = ['failed', 'sent'];
  const send = vi.fn(() => Promise.resolve(results.shift()));
  const mailer = new PasswordResetLinkMailer(
    world.dataSource,
    { findByEmail: () => Promise.resolve(user) } as never,
    { isConfigured: true, send } as never,
    { publicUrl: 'http://localhost:3000' } as never,
  );
  const start = () => mailer.startSendingLink(user.email, { address: null, userAgent: null }, 'request');
  start();
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  await vi.waitFor(async () => expect(await count()).toBe(0));
  start();
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  expect(await count()).toBe(1);
});
