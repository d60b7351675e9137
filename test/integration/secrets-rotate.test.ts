import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RotateSecretsCommand } from '../../apps/admin/src/secrets/secrets.command.js';
import { withCommandContext } from '../support/command-context.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
let folder: string;
beforeEach(async () => {
  world = await createJobWorld();
  folder = await mkdtemp(join(tmpdir(), 'secrets-rotate-'));
  vi.stubEnv('DATABASE_URL', world.url);
  vi.stubEnv('DATA_DIR', folder);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

it('a rotation of secrets has no limit of time, because it reads whole tables', async () => {
  // The first start of the service.
  await withCommandContext((context) => context.openOrCreate());
  await withCommandContext(async (context) => {
    await new RotateSecretsCommand(context).run([], { json: true });
    const { dataSource } = await context.open();
    expect(await dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  });
});

it('a rotation of secrets says which key encrypts, and how many rows need each of the others', async () => {
  const [old, next] = ['the old encryption key', 'the new encryption key'].map((key) => key.padEnd(32, '-'));
  const write = vi.mocked(process.stdout.write);
  const rotate = async (...keys: unknown[]) => {
    vi.stubEnv('ENCRYPTION_KEYS', keys.join(','));
    write.mockClear();
    await withCommandContext((context) => new RotateSecretsCommand(context).run([], {}));
    return String(write.mock.calls[0]?.[0]);
  };
  vi.stubEnv('ENCRYPTION_KEYS', old);
  await withCommandContext(async (context) =>
    (await context.openOrCreate()).signingSecrets.readOrCreateSecret(world.accountId),
  );
  // With the settings of the earlier step.
  const early = await rotate(old, next);
  const [, oldId = ''] = /Key (\w+) \(number 1 of ENCRYPTION_KEYS\) encrypts\./.exec(early) ?? [];
  expect(early).toMatch(/No row needs key \w+ \(number 2 of ENCRYPTION_KEYS\): it may be removed\./);
  expect(early).toMatch(/No row needs key \w+ \(from SERVICE_SECRET\)\.\n/);
  const done = await rotate(next, old);
  expect(done).toMatch(/^1 rows encrypted again, 0 left under other keys\./);
  expect(done).toContain(`No row needs key ${oldId} (number 2 of ENCRYPTION_KEYS): it may be removed.`);
});
