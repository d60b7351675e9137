import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAuditEvents } from '@app/auth';
import { computeSecretFingerprint, ServiceSecretFile } from '@app/runtime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReconcilePaymentsCommand } from '../../apps/admin/src/credits/card-payments.command.js';
import type { AdminServices, LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import type { OperatorCommand } from '../../apps/admin/src/operator-command.js';
import {
  AddServiceSecretCommand,
  DropEarlierServiceSecretsCommand,
  RotateSecretsCommand,
  UseNextServiceSecretCommand,
} from '../../apps/admin/src/secrets/secrets.command.js';
import { withCommandContext } from '../support/command-context.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { ThrowawayDatabase } from '../support/postgres.js';
import { rejectAuditEvents } from '../support/reject-audit-events.js';
import { CardPaymentsFixture } from '../support/stripe/card-payments-fixture.js';

beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterEach(() => vi.restoreAllMocks());

/** Oldest first. */
async function listOperatorEvents(db: AdminServices['dataSource'], action: string) {
  const events = await listAuditEvents(db, { actorKind: 'operator', action }, 100);
  return events.toReversed().map((event) => ({ action: event.action, details: event.details }));
}

/** Before the change, and after it with the result. */
const inBothPhases = (action: string, details: object, result: object = {}) => [
  { action, details: { phase: 'started', ...details } },
  { action, details: { phase: 'finished', ...details, ...result } },
];

describe('the audit events of secrets service-secret', () => {
  let database: ThrowawayDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await createMigratedDatabase();
    folder = await mkdtemp(join(tmpdir(), 'operator-audit-'));
    vi.stubEnv('DATABASE_URL', database.url);
    vi.stubEnv('DATA_DIR', folder);
    vi.stubEnv('SERVICE_SECRET', undefined);
    await new ServiceSecretFile(folder).readOrCreate();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
    await database.drop();
  });

  const runCommand = (Type: new (context: LazyAdminServices) => OperatorCommand) =>
    withCommandContext((context) => new Type(context).run([], { json: true }));
  const rejectEvents = () =>
    withCommandContext(async (context) => rejectAuditEvents((await context.open()).dataSource));
  const readSecrets = async () => (await readFile(join(folder, 'service-secret'), 'utf8')).split('\n');
  const listEvents = () =>
    withCommandContext(async (context) => listOperatorEvents((await context.open()).dataSource, 'secrets.'));

  it('add, use and drop each write an event before and after, with the fingerprint of a secret and never the secret', async () => {
    await runCommand(AddServiceSecretCommand);
    const secrets = await readSecrets();
    const [earlier = '', next = ''] = secrets.map(computeSecretFingerprint);
    const added = inBothPhases('secrets.service_secret_added', { fingerprint: next });
    const used = inBothPhases('secrets.service_secret_used', { fingerprint: next });
    const dropped = inBothPhases('secrets.service_secret_dropped', { fingerprint: earlier });
    expect(await listEvents()).toEqual(added);
    await runCommand(UseNextServiceSecretCommand);
    await runCommand(RotateSecretsCommand);
    await runCommand(DropEarlierServiceSecretsCommand);
    const events = await listEvents();
    const result = { rows: expect.any(Number), service_secret: 'changed' };
    const rotated = inBothPhases('secrets.rotated', {}, result);
    expect(events).toEqual([...added, ...used, ...rotated, ...dropped]);
    for (const secret of secrets) expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('a rejected step writes no event', async () => {
    await expect(runCommand(UseNextServiceSecretCommand)).rejects.toThrow('There is no next secret');
    await expect(runCommand(DropEarlierServiceSecretsCommand)).rejects.toThrow('one secret only');
    expect(await listEvents()).toEqual([]);
  });

  it('a repeated use does not go back to the earlier secret, before rotate nor after it', async () => {
    await runCommand(AddServiceSecretCommand);
    await runCommand(UseNextServiceSecretCommand);
    const secrets = await readSecrets();
    await expect(runCommand(UseNextServiceSecretCommand)).rejects.toThrow('run secrets rotate');
    await runCommand(RotateSecretsCommand);
    await expect(runCommand(UseNextServiceSecretCommand)).rejects.toThrow('run secrets service-secret drop');
    expect(await readSecrets()).toEqual(secrets);
    await runCommand(DropEarlierServiceSecretsCommand);
    await runCommand(AddServiceSecretCommand);
    const [, next] = await readSecrets();
    vi.mocked(process.stdout.write).mockClear();
    await runCommand(UseNextServiceSecretCommand);
    expect((await readSecrets())[0]).toBe(next);
    expect(JSON.parse(String(vi.mocked(process.stdout.write).mock.calls[0]?.[0]))).toMatchObject({
      fingerprint: computeSecretFingerprint(next ?? ''),
    });
  });

  it('the file keeps its secrets when the event cannot be written', async () => {
    await rejectEvents();
    const before = await readSecrets();
    await expect(runCommand(AddServiceSecretCommand)).rejects.toThrow('no_more');
    expect(await readSecrets()).toEqual(before);
  });

  it('the event of a change whose process is killed is in the log', async () => {
    await runCommand(AddServiceSecretCommand);
    vi.spyOn(ServiceSecretFile.prototype, 'replace').mockImplementation(async () => {
      await rejectEvents();
      throw new Error('killed');
    });
    await expect(runCommand(UseNextServiceSecretCommand)).rejects.toThrow('killed');
    expect((await listEvents()).slice(2)).toMatchObject([
      { action: 'secrets.service_secret_used', details: { phase: 'started' } },
    ]);
  });

  it('a change is made and its result printed although its last event cannot be written', async () => {
    const { replace } = ServiceSecretFile.prototype;
    const secretsBefore = await readSecrets().catch(() => []);
    vi.spyOn(ServiceSecretFile.prototype, 'replace').mockImplementation(async function (
      this: ServiceSecretFile,
      ...given
    ) {
      await replace.apply(this, given);
      await rejectEvents();
    });
    const warn = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await runCommand(AddServiceSecretCommand);
    expect(await readSecrets()).not.toEqual(secretsBefore);
    expect(process.stdout.write).toHaveBeenCalledWith(expect.stringContaining('"accepted":2'));
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/^Warning: secrets\.service_secret_added .*no_more.*\n$/),
    ]);
  });

  it('a change that fails is in the log as failed', async () => {
    vi.spyOn(ServiceSecretFile.prototype, 'replace').mockRejectedValue(new Error('disk full'));
    await expect(runCommand(AddServiceSecretCommand)).rejects.toThrow('disk full');
    expect((await listEvents()).map(({ details }) => details['phase'])).toEqual(['started', 'failed']);
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

  it('a run writes an event before, and one after with what it did or that it failed', async () => {
    fixture.stripe.webhooks.mode = 'drop';
    const accountId = await fixture.openAccount();
    await fixture.buy(accountId);
    await reconcile();
    expect((await fixture.statement(accountId)).entries).toMatchObject([{ kind: 'grant', amount: 50 }]);
    const counts = { payments: 1, events: expect.any(Number), refunds: 0, debts: 0 };
    const granted = inBothPhases('payment.reconciled', {}, counts);
    expect(await listEvents()).toEqual(granted);
    fixture.stripe.failNext(/events/, 'error_500', 'error_500', 'error_500');
    await expect(reconcile()).rejects.toThrow(/^Stripe: /);
    expect(await listEvents()).toEqual([
      ...granted,
      { action: 'payment.reconciled', details: { phase: 'started' } },
      { action: 'payment.reconciled', details: { phase: 'failed' } },
    ]);
  });
});
