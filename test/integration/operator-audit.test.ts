import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAuditEvents } from '@app/auth';
import { computeSecretFingerprint } from '@app/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReconcilePaymentsCommand } from '../../apps/admin/src/credits/card-payments.command.js';
import { type AdminServices, LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import type { OperatorCommand } from '../../apps/admin/src/operator-command.js';
import {
  AddServiceSecretCommand,
  DropEarlierServiceSecretsCommand,
  ReencryptRowsCommand,
  UseNextServiceSecretCommand,
} from '../../apps/admin/src/secrets/secrets.command.js';
import { createThrowawayDatabase, type ThrowawayDatabase } from '../support/postgres.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterEach(() => vi.restoreAllMocks());

/** Oldest first. */
async function listOperatorEvents(db: AdminServices['dataSource'], action: string) {
  const events = await listAuditEvents(db, { actorKind: 'operator', action }, 100);
  return events.toReversed().map((event) => ({ action: event.action, details: event.details }));
}

describe('the audit events of secrets service-secret', () => {
  let database: ThrowawayDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createThrowawayDatabase();
    folder = await mkdtemp(join(tmpdir(), 'operator-audit-'));
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('SERVICE_SECRET', undefined);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });

  /** Runs the work with a context of its own, like a separate program. */
  async function withCommandContext<T>(work: (context: LazyAdminServices) => Promise<T>): Promise<T> {
    const context = new LazyAdminServices();
    try {
      return await work(context);
    } finally {
      await context.onApplicationShutdown();
    }
  }

  const runCommand = (Type: new (context: LazyAdminServices) => OperatorCommand) =>
    withCommandContext((context) => new Type(context).run([], { json: true }));
  const readSecrets = async () => (await readFile(join(folder, 'service-secret'), 'utf8')).split('\n');
  const listEvents = () =>
    withCommandContext(async (context) => listOperatorEvents((await context.open()).dataSource, 'secrets.'));

  it('add, use and drop each write one event with the fingerprint of a secret, and never the secret', async () => {
    await runCommand(AddServiceSecretCommand);
    const secrets = await readSecrets();
    const [earlier = '', next = ''] = secrets.map(computeSecretFingerprint);
    const added = { action: 'secrets.service_secret_added', details: { fingerprint: next } };
    const used = { action: 'secrets.service_secret_used', details: { fingerprint: next } };
    const dropped = { action: 'secrets.service_secret_dropped', details: { fingerprint: earlier } };
    expect(await listEvents()).toEqual([added]);
    await runCommand(UseNextServiceSecretCommand);
    await runCommand(ReencryptRowsCommand);
    await runCommand(DropEarlierServiceSecretsCommand);
    const events = await listEvents();
    const rotated = { action: 'secrets.rotated', details: { rows: expect.any(Number) } };
    expect(events).toEqual([added, used, rotated, dropped]);
    for (const secret of secrets) expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('a rejected step writes no event', async () => {
    await expect(runCommand(UseNextServiceSecretCommand)).rejects.toThrow('There is no next secret');
    await expect(runCommand(DropEarlierServiceSecretsCommand)).rejects.toThrow('one secret only');
    expect(await listEvents()).toEqual([]);
  });

  it('the file keeps its secrets when the event cannot be written', async () => {
    await withCommandContext(async (context) => {
      const { dataSource } = await context.open();
      await dataSource.query('ALTER TABLE audit_event ADD CONSTRAINT no_more CHECK (false) NOT VALID');
    });
    const before = await readSecrets();
    await expect(runCommand(AddServiceSecretCommand)).rejects.toThrow('no_more');
    expect(await readSecrets()).toEqual(before);
  });
});

describe('the audit events of credits reconcile', () => {
  let fixture: CardPaymentsFixture;
  beforeAll(async () => void (fixture = await CardPaymentsFixture.create()));
  afterAll(() => fixture.close());

  const reconcile = () => {
    const services = { dataSource: fixture.db, cardPayments: fixture.cards };
    const context = { open: () => Promise.resolve(services) } as unknown as LazyAdminServices;
    return new ReconcilePaymentsCommand(context).run([], { json: true });
  };
  const listEvents = () => listOperatorEvents(fixture.db, 'payment.reconciled');

  it('a run that grants credits writes one event, one without anything to do writes none, and a failed one says so', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const accountId = await fixture.openAccount();
    await reconcile();
    expect(await listEvents()).toEqual([]);
    await fixture.buy(accountId);
    await reconcile();
    expect((await fixture.statement(accountId)).entries).toMatchObject([{ kind: 'grant', amount: 50 }]);
    const granted = {
      action: 'payment.reconciled',
      details: { payments: 1, events: expect.any(Number), refunds: 0, debts: 0 },
    };
    expect(await listEvents()).toEqual([granted]);
    await reconcile();
    expect(await listEvents()).toEqual([granted]);
    fixture.stripe.failNext(/events/, 'error_500', 'error_500', 'error_500');
    await expect(reconcile()).rejects.toThrow(/^Stripe: /);
    expect(await listEvents()).toEqual([
      granted,
      { action: 'payment.reconciled', details: { failed: true } },
    ]);
  });
});
