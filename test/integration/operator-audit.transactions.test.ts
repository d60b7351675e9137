import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAuditEvents } from '@app/auth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ResumeAccountCommand,
  SuspendAccountCommand,
} from '../../apps/admin/src/accounts/accounts.command.js';
import {
  CancelJobCommand,
  DeleteJobCommand,
  RetryJobCommand,
} from '../../apps/admin/src/jobs/jobs.command.js';
import { LazyAdminServices } from '../../apps/admin/src/lazy-admin-services.js';
import type { OperatorCommand } from '../../apps/admin/src/operator-command.js';
import { DisableUserCommand, EnableUserCommand } from '../../apps/admin/src/users/disable-users.command.js';
import {
  CreateOneTimeLinkCommand,
  ResetUserFactorsCommand,
  UnlinkUserFromProviderCommand,
} from '../../apps/admin/src/users/users.command.js';
import { ReplayDeliveriesCommand } from '../../apps/admin/src/webhooks/deliveries.command.js';
import {
  HoldWebhooksCommand,
  ReleaseWebhooksCommand,
  RotateAccountSigningSecretCommand,
} from '../../apps/admin/src/webhooks/webhooks.command.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { acceptAuditEvents, rejectAuditEvents } from '../support/reject-audit-events.js';

let world: World;
let folder: string;
let context: LazyAdminServices;
beforeAll(async () => {
  [world, folder] = await Promise.all([createJobWorld(), mkdtemp(join(tmpdir(), 'operator-audit-'))]);
  vi.stubEnv('DATABASE_URL', world.url);
  vi.stubEnv('DATA_DIR', folder);
  context = new LazyAdminServices();
  await context.open();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await context.onApplicationShutdown();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
afterEach(() => vi.restoreAllMocks());

/** What the commands of this file change. */
const TABLES = [
  ...[
    'account',
    'job',
    'job_stage',
    'job_event',
    'outbox',
    'installation',
    'webhook_delivery',
    'webhook_secret',
  ],
  ...['app_user', 'sign_in_link', 'passkey', 'external_identity'],
];

/** An operator, such as an auditor, finds each event by the account and the target. */
interface AuditedChange {
  Command: new (context: LazyAdminServices) => OperatorCommand;
  args: string[];
  options?: Record<string, unknown>;
  event: { accountId: string | null; action: string; target: string | null };
}

const readState = () =>
  Promise.all(
    TABLES.map((table) => world.row(`SELECT json_agg(each ORDER BY each::text) AS rows FROM ${table} each`)),
  );
const run = ({ Command, args, options }: AuditedChange) =>
  new Command(context).run(args, { json: true, ...options });

/** No event can be written meanwhile. */
async function withoutAuditLog(work: () => Promise<void>): Promise<void> {
  await rejectAuditEvents(world.dataSource);
  try {
    await work();
  } finally {
    await acceptAuditEvents(world.dataSource);
  }
}

async function createMember(): Promise<{ id: string; email: string; account: string }> {
  const account = await world.newAccount();
  const id = randomUUID();
  const email = `${id}@example.org`;
  await world.rows(`INSERT INTO app_user (id, email, name) VALUES ($1, $2, '')`, id, email);
  await world.rows(
    `INSERT INTO membership (user_id, account_id, role) VALUES ($1, $2, 'owner')`,
    ...[id, account],
  );
  return { id, email, account };
}

async function createFailedDelivery(account: string): Promise<string> {
  const id = randomUUID();
  await world.rows(
    `INSERT INTO webhook_delivery (id, account_id, job_id, url, event, state, finished_at)
     VALUES ($1, $2, $3, 'http://127.0.0.1:9/', 'failed', 'failed', now())`,
    ...[id, account, await world.newJob({ of: account })],
  );
  return id;
}

const suspend = (account: string) =>
  world.rows('UPDATE account SET suspended_at = now() WHERE id = $1', account);

const CHANGES: Record<string, () => Promise<AuditedChange>> = {
  'accounts suspend': async () => {
    const account = await world.newAccount();
    const event = { accountId: account, action: 'account.suspended', target: account };
    return { Command: SuspendAccountCommand, args: [account], event };
  },
  'accounts suspend --cancel-jobs': async () => {
    const account = await world.newAccount();
    const job = await world.newJob({ of: account });
    await suspend(account);
    const event = { accountId: account, action: 'job.cancelled', target: job };
    return { Command: SuspendAccountCommand, args: [account], options: { cancelJobs: true }, event };
  },
  'accounts resume': async () => {
    const account = await world.newAccount();
    await suspend(account);
    const event = { accountId: account, action: 'account.resumed', target: account };
    return { Command: ResumeAccountCommand, args: [account], event };
  },
  'jobs retry': async () => {
    const job = await world.newJob();
    const event = { accountId: world.accountId, action: 'job.retried', target: job };
    return { Command: RetryJobCommand, args: [job], event };
  },
  'jobs cancel': async () => {
    const job = await world.newJob();
    const event = { accountId: world.accountId, action: 'job.cancelled', target: job };
    return { Command: CancelJobCommand, args: [job], event };
  },
  'jobs delete': async () => {
    const job = await world.newJob();
    const event = { accountId: world.accountId, action: 'job.deleted', target: job };
    return { Command: DeleteJobCommand, args: [job], event };
  },
  'webhooks replay DELIVERY': async () => {
    const account = await world.newAccount();
    const delivery = await createFailedDelivery(account);
    const event = { accountId: account, action: 'webhooks.replayed', target: delivery };
    return { Command: ReplayDeliveriesCommand, args: [delivery], event };
  },
  'webhooks replay --failed': async () => {
    const account = await world.newAccount();
    await createFailedDelivery(account);
    const event = { accountId: account, action: 'webhooks.replayed', target: null };
    return { Command: ReplayDeliveriesCommand, args: [], options: { failed: true, account }, event };
  },
  'webhooks hold': async () => {
    await world.rows('UPDATE installation SET webhooks_held_at = NULL');
    const event = { accountId: null, action: 'webhooks.held', target: null };
    return { Command: HoldWebhooksCommand, args: [], event };
  },
  'webhooks release': async () => {
    await world.rows('UPDATE installation SET webhooks_held_at = now()');
    const event = { accountId: null, action: 'webhooks.released', target: null };
    return { Command: ReleaseWebhooksCommand, args: [], event };
  },
  'webhooks secret rotate': async () => {
    const account = await world.newAccount();
    const event = { accountId: account, action: 'signing_secret.rotated', target: null };
    return { Command: RotateAccountSigningSecretCommand, args: [], options: { account, overlap: 60 }, event };
  },
  'users link': async () => {
    const { id, email, account } = await createMember();
    const event = { accountId: account, action: 'user.link_created', target: id };
    return { Command: CreateOneTimeLinkCommand, args: [email], event };
  },
  'users disable': async () => {
    const { id, email, account } = await createMember();
    const event = { accountId: account, action: 'user.disabled', target: id };
    return { Command: DisableUserCommand, args: [email], event };
  },
  'users enable': async () => {
    const { id, email, account } = await createMember();
    await world.rows('UPDATE app_user SET disabled_at = now() WHERE id = $1', id);
    const event = { accountId: account, action: 'user.enabled', target: id };
    return { Command: EnableUserCommand, args: [email], event };
  },
  'users reset-factors': async () => {
    const { id, email, account } = await createMember();
    await world.rows(
      `INSERT INTO passkey (id, user_id, name, public_key) VALUES ($1::text, $1::uuid, '', '')`,
      id,
    );
    const event = { accountId: account, action: 'user.factors_removed', target: id };
    return { Command: ResetUserFactorsCommand, args: [email], event };
  },
  'users unlink': async () => {
    const { id, email, account } = await createMember();
    await world.rows(
      `INSERT INTO external_identity (issuer, subject, user_id) VALUES ('issuer', $1::text, $1::uuid)`,
      id,
    );
    const event = { accountId: account, action: 'user.identity_unlinked', target: id };
    return { Command: UnlinkUserFromProviderCommand, args: [email], event };
  },
};

describe.each(Object.entries(CHANGES))('the change of %s', (_, arrange) => {
  it('is not made without its audit event, and with it the account finds the event by its target', async () => {
    const change = await arrange();
    const before = await readState();
    await withoutAuditLog(() => expect(run(change)).rejects.toThrow('no_more'));
    expect(await readState()).toEqual(before);
    await run(change);
    expect(await readState()).not.toEqual(before);
    const { accountId, action, target } = change.event;
    const filter = { accountId, action, actorKind: 'operator', ...(target !== null && { target }) } as const;
    expect(await listAuditEvents(world.dataSource, filter, 10)).toMatchObject([change.event]);
  });
});

describe('an operator event', () => {
  it('of a user is in the log of each account that the user belongs to', async () => {
    const { id, email, account } = await createMember();
    await world.rows(
      `INSERT INTO membership (user_id, account_id, role) VALUES ($1, $2, 'viewer')`,
      ...[id, world.accountId],
    );
    await new DisableUserCommand(context).run([email], { json: true });
    const events = await listAuditEvents(world.dataSource, { action: 'user.disabled', target: id }, 10);
    expect(events).toHaveLength(2);
    expect(new Set(events.map(({ accountId }) => accountId))).toEqual(new Set([account, world.accountId]));
  });

  it('is written for each job that the suspension of an account cancels, and for no other', async () => {
    const account = await world.newAccount();
    const jobs = [await world.newJob({ of: account }), await world.newJob({ of: account, enqueue: false })];
    const other = await world.newJob();
    await new SuspendAccountCommand(context).run([account], { json: true, cancelJobs: true });
    const events = await listAuditEvents(world.dataSource, { accountId: account }, 10);
    expect(events.toReversed().map(({ action, target, details }) => ({ action, target, details }))).toEqual([
      { action: 'account.suspended', target: account, details: {} },
      ...jobs.map((target) => ({ action: 'job.cancelled', target, details: { account_suspended: true } })),
    ]);
    expect(await listAuditEvents(world.dataSource, { target: other }, 10)).toEqual([]);
  });

  it('is not written by a command that changes nothing', async () => {
    const account = await world.newAccount();
    await suspend(account);
    await new SuspendAccountCommand(context).run([account], { json: true, cancelJobs: true });
    await new ReplayDeliveriesCommand(context).run([], { json: true, failed: true, account });
    expect(await listAuditEvents(world.dataSource, { accountId: account }, 10)).toEqual([]);
  });
});
