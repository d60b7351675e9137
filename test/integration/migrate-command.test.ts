import { listAuditEvents } from '@app/auth';
import { createBootContextAndMigrate } from '@app/runtime';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runServiceChecks } from '../../apps/admin/src/doctor/service-checks.js';
import type { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import { MigrateCommand } from '../../apps/admin/src/migrate/migrate.command.js';
import {
  AdoptStoreCommand,
  ListOrDeleteOrphansCommand,
  ShowStoreCommand,
} from '../../apps/admin/src/store/store.command.js';
import { withCommandContext } from '../support/command-context.js';
import { rejectAuditEvents } from '../support/reject-audit-events.js';
import {
  createThrowawayService,
  removeThrowawayService,
  stubServiceSettings,
  type ThrowawayService,
} from '../support/throwaway-service.js';

/** A service whose database the command has migrated, which tests copy. */
let migrated: ThrowawayService;
let last: string | undefined;
beforeAll(async () => {
  migrated = await createThrowawayService();
  await stubServiceSettings(migrated);
  const { applied } = (await migrate({})).printed as { applied: string[] };
  last = applied.at(-1);
  vi.unstubAllEnvs();
});
afterAll(() => removeThrowawayService(migrated));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Until the test ends. @param original as of `createThrowawayService` */
async function useService(original?: ThrowawayService): Promise<void> {
  const service = await createThrowawayService(original);
  onTestFinished(() => removeThrowawayService(service));
  await stubServiceSettings(service);
}

/** Returns the output of the command and its error. */
async function migrate(options: {
  drift?: boolean;
  plan?: boolean;
}): Promise<{ printed: unknown; error: unknown }> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const error = await withCommandContext((context) =>
    new MigrateCommand(context).run([], { json: true, ...options }).then(
      () => null,
      (failure: unknown) => failure,
    ),
  );
  const [[text] = []] = write.mock.calls;
  write.mockRestore();
  return { printed: text === undefined ? null : JSON.parse(String(text)), error };
}

const runDoctor = async () => {
  const findings = await withCommandContext(runServiceChecks);
  return Object.fromEntries(findings.map((finding) => [finding.name, finding]));
};

describe('the commands doctor and migrate on an empty database', () => {
  it('doctor and migrate --drift report the missing migrations and change nothing; migrate applies them', async () => {
    await useService();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { database: databaseReport, queue } = await runDoctor();
      expect(databaseReport).toMatchObject({
        status: 'warning',
        detail: expect.stringMatching(/(\d+) of \1 migrations are missing/),
        advice: expect.stringContaining('migrate'),
      });
      expect(queue).toBeUndefined();
      const { printed, error } = await migrate({ drift: true });
      expect(error).toMatchObject({ name: 'CommandError' });
      expect(printed).toMatchObject({ statements: expect.arrayContaining([expect.any(String)]) });
    }
    const { applied, known } = (await migrate({})).printed as { applied: string[]; known: number };
    expect(applied).toHaveLength(known);
    expect(known).toBeGreaterThan(0);
    expect((await migrate({})).printed).toEqual({ applied: [], known });
    expect(await migrate({ drift: true })).toEqual({ printed: { statements: [] }, error: null });
    expect(await runDoctor()).toMatchObject({
      database: { status: 'ok', detail: expect.stringContaining('schema up to date') },
      queue: { status: 'ok' },
    });
  });
});

describe('the audit event of migrate', () => {
  const changeDatabase = (change: (dataSource: DataSource) => Promise<void>) =>
    withCommandContext(async (context) => change((await context.openWithoutMigrating()).dataSource));
  const listEvents = () =>
    withCommandContext(async (context) => {
      const { dataSource } = await context.openWithoutMigrating();
      return listAuditEvents(dataSource, { action: 'schema.migrated' }, 10);
    });

  it('a first run writes one event that names the migrations, and a later run writes none', async () => {
    await useService();
    const { applied } = (await migrate({})).printed as { applied: string[] };
    await migrate({});
    await migrate({ plan: true });
    expect(await listEvents()).toMatchObject([
      { accountId: null, actorKind: 'operator', details: { phase: 'finished', migrations: applied } },
    ]);
  });

  it('has no limit for a statement, which may have to wait for others or to build an index of a large table', async () => {
    await useService(migrated);
    const shown = await withCommandContext(async (context) => {
      const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      await new MigrateCommand(context).run([], { json: true });
      write.mockRestore();
      return (await context.openWithoutMigrating()).dataSource.query('SHOW statement_timeout');
    });
    expect(shown).toEqual([{ statement_timeout: '0' }]);
  });

  it('a run on an older schema writes an event before and after', async () => {
    await useService(migrated);
    await changeDatabase((dataSource) => dataSource.undoLastMigration({ transaction: 'each' }));
    await migrate({});
    const events = (await listEvents()).map(({ details }) => details);
    expect(events.slice(0, 2)).toEqual([
      { phase: 'finished', migrations: [last] },
      { phase: 'started', migrations: [last] },
    ]);
  });

  it('a run that fails on an older schema writes that it failed', async () => {
    await useService(migrated);
    await changeDatabase(async (dataSource) => {
      await dataSource.undoLastMigration({ transaction: 'each' });
      await dataSource.query('ALTER TABLE schema_migration ADD CONSTRAINT no_more CHECK (false) NOT VALID');
    });
    expect((await migrate({})).error).toMatchObject({ message: expect.stringContaining('no_more') });
    const events = (await listEvents()).map(({ details }) => details);
    expect(events.slice(0, 2)).toEqual([
      { phase: 'failed', migrations: [last] },
      { phase: 'started', migrations: [last] },
    ]);
  });

  it('nothing is migrated when the first event is rejected for another reason than an older log', async () => {
    await useService(migrated);
    await changeDatabase(async (dataSource) => {
      await dataSource.undoLastMigration({ transaction: 'each' });
      await rejectAuditEvents(dataSource);
    });
    const { printed, error } = await migrate({});
    expect({ printed, error }).toMatchObject({
      printed: null,
      error: { message: expect.stringContaining('no_more') },
    });
    const { pending } = (await migrate({ plan: true })).printed as { pending: object[] };
    expect(pending).toHaveLength(1);
  });
});

describe('migrate --plan', () => {
  it('the plan lists pending migrations, says whether programs may keep running, and changes nothing', async () => {
    await useService();
    const { printed } = await migrate({ plan: true });
    const plan = printed as { pending: { name: string; rolling: boolean }[]; stop_first: boolean };
    expect(plan.pending[0]).toEqual({ name: 'Initial1763600000000', rolling: true });
    expect(plan.stop_first).toBe(true);
    expect((await migrate({ plan: true })).printed).toEqual(printed);
    await migrate({});
    expect((await migrate({ plan: true })).printed).toEqual({ pending: [], stop_first: false });
  });
});

describe('commands that need the schema of this version', () => {
  const countPending = async () =>
    ((await migrate({ plan: true })).printed as { pending: object[] }).pending.length;

  it('an older schema is left as it is, and the refusal names the command that migrates', async () => {
    await useService(migrated);
    await withCommandContext(async (context) => {
      const { dataSource } = await context.openWithoutMigrating();
      await dataSource.undoLastMigration({ transaction: 'each' });
    });
    for (const open of ['open', 'openOrCreate'] as const) {
      const opening = withCommandContext(async (context) => void (await context[open]()));
      await expect(opening).rejects.toMatchObject({
        name: 'SchemaTooOldError',
        message: expect.stringMatching(/^[^\n]*`migrate`[^\n]*$/),
      });
    }
    expect(await countPending()).toBe(1);
  });

  it('an empty database is migrated, so that an account can be created before the first start', async () => {
    await useService();
    await withCommandContext(async (context) => void (await context.openOrCreate()));
    expect(await countPending()).toBe(0);
  });
});

describe('a database that a newer version has migrated', () => {
  const NEWER = 'Newer1999999999999';
  let newer: ThrowawayService;
  beforeAll(async () => {
    newer = await createThrowawayService(migrated);
    await stubServiceSettings(newer);
    await withCommandContext(async (context) => {
      const { dataSource } = await context.openOrCreate();
      await dataSource.query('INSERT INTO schema_migration (timestamp, name) VALUES (1999999999999, $1)', [
        NEWER,
      ]);
    });
    vi.unstubAllEnvs();
  });
  afterAll(() => removeThrowawayService(newer));
  beforeEach(() => stubServiceSettings(newer));

  it.each([{}, { plan: true }])(
    'the command migrate %o fails with one line that names the unknown migration',
    async (options) => {
      const { printed, error } = await migrate(options);
      expect(printed).toBeNull();
      expect(error).toMatchObject({
        name: 'SchemaTooNewError',
        message: expect.stringMatching(
          new RegExp(`^[^\\n]*${NEWER} is unknown to version \\d[^\\n]*backup[^\\n]*$`),
        ),
      });
    },
  );

  it('the commands that judge stored objects by its rows refuse it, and `store show` does not', async () => {
    const run = (command: (context: LazyAdminServices) => Promise<void>) =>
      withCommandContext(command).then(
        () => null,
        (error: unknown) => error,
      );
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const json = { json: true };
    for (const command of [
      (context: LazyAdminServices) => new ListOrDeleteOrphansCommand(context).run([], json),
      (context: LazyAdminServices) =>
        new ListOrDeleteOrphansCommand(context).run(['delete'], { ...json, yes: true }),
      (context: LazyAdminServices) => new AdoptStoreCommand(context).run([], { ...json, yes: true }),
    ])
      expect(await run(command)).toMatchObject({
        name: 'SchemaTooNewError',
        message: expect.stringContaining(`${NEWER} is unknown`),
      });
    expect(write).not.toHaveBeenCalled();
    expect(await run((context) => new ShowStoreCommand(context).run([], json))).toBeNull();
    expect(write).toHaveBeenCalledOnce();
  });

  it('no program starts', async () => {
    await expect(createBootContextAndMigrate('api')).rejects.toMatchObject({ name: 'SchemaTooNewError' });
  });

  it('doctor reports a problem', async () => {
    expect((await runDoctor())['database']).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining(NEWER),
      advice: expect.stringContaining('newer'),
    });
  });
});
