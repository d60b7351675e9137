import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RotateSecretsCommand } from '../../apps/admin/src/secrets/secrets.command.js';
import { withCommandContext } from '../support/command-context.js';
import { createJobWorld } from '../support/job-world.js';

it('a rotation of secrets has no limit of time, because it reads whole tables', async () => {
  const world = await createJobWorld();
  const folder = await mkdtemp(join(tmpdir(), 'secrets-rotate-'));
  vi.stubEnv('DATABASE_URL', world.url);
  vi.stubEnv('DATA_DIR', folder);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(async () => {
    write.mockRestore();
    vi.unstubAllEnvs();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });
  // The first start of the service.
  await withCommandContext((context) => context.openOrCreate());
  await withCommandContext(async (context) => {
    await new RotateSecretsCommand(context).run([], { json: true });
    const { dataSource } = await context.open();
    expect(await dataSource.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '0' }]);
  });
});
