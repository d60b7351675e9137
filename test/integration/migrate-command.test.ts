import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serviceChecks } from '../../apps/admin/src/doctor/service-checks.js';
import { MigrateCommand } from '../../apps/admin/src/migrate/migrate.command.js';
import { Workplace } from '../../apps/admin/src/workplace.js';
import { freePort } from '../support/bound-process.js';
import { throwawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';

let database: ThrowawayDatabase;
let folder: string;
beforeEach(async () => {
  database = await throwawayDatabase();
  folder = await mkdtemp(join(tmpdir(), 'migrate-command-'));
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', folder);
  vi.stubEnv('PORT', String(await freePort()));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

/** As a program of its own would. */
async function atWork<T>(work: (workplace: Workplace) => Promise<T>): Promise<T> {
  const workplace = new Workplace();
  try {
    return await work(workplace);
  } finally {
    await workplace.onApplicationShutdown();
  }
}

/** What the command printed, and the refusal it ended with. */
async function migrate(options: { drift?: boolean }): Promise<{ printed: unknown; refusal: unknown }> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const refusal = await atWork((workplace) =>
    new MigrateCommand(workplace).run([], { json: true, ...options }).then(
      () => null,
      (error: unknown) => error,
    ),
  );
  const [[text] = ['']] = write.mock.calls;
  write.mockRestore();
  return { printed: JSON.parse(String(text)), refusal };
}

const doctor = async () => {
  const findings = await atWork(serviceChecks);
  return Object.fromEntries(findings.map((finding) => [finding.name, finding]));
};

describe('an empty database', () => {
  it('is told by doctor and by migrate --drift, and changed by migrate alone', async () => {
    for (const _ of ['asked', 'asked again, and found as it was']) {
      const { database: found, queue } = await doctor();
      expect(found).toMatchObject({
        status: 'warning',
        detail: expect.stringMatching(/(\d+) of \1 migrations are missing/),
        advice: expect.stringContaining('migrate'),
      });
      expect(queue).toBeUndefined();
      const { printed, refusal } = await migrate({ drift: true });
      expect(refusal).toMatchObject({ name: 'CommandRefused' });
      expect(printed).toMatchObject({ statements: expect.arrayContaining([expect.any(String)]) });
    }
    const { applied, known } = (await migrate({})).printed as { applied: string[]; known: number };
    expect(applied).toHaveLength(known);
    expect(known).toBeGreaterThan(0);
    expect((await migrate({})).printed).toEqual({ applied: [], known });
    expect(await migrate({ drift: true })).toEqual({ printed: { statements: [] }, refusal: null });
    expect(await doctor()).toMatchObject({
      database: { status: 'ok', detail: expect.stringContaining('schema up to date') },
      queue: { status: 'ok' },
    });
  });
});
