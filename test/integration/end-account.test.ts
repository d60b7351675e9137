import { type AuditActor, endAccount } from '@app/auth';
import { inTransaction } from '@app/database';
import {
  buildRenderedTranscriptKey,
  buildTranscriptDocumentKey,
  buildUploadedAudioKey,
  endJob,
} from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountSettingsController } from '../../apps/api/src/console/settings/account.controller.js';
import { deleteObjectsOfDeletedJobs } from '../../apps/processor/src/maintenance/deleted-job-objects.js';
import { EndedAccountJobDeletion } from '../../apps/processor/src/maintenance/ended-account-job-deletion.js';
import { createPurges } from '../../apps/processor/src/maintenance/purges.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

const ACTOR: AuditActor = {
  kind: 'user',
  id: null,
  name: 'owner@example.org',
  address: null,
  requestId: null,
};

let world: World;
let files: ThrowawayStore<FileObjectStore>;
let other: string;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  await world.clear();
  files = await createThrowawayStore();
  other = await world.newAccount();
});
afterEach(() => files.close());

const end = () => inTransaction(world.dataSource, (tx) => endAccount(tx, world.accountId, ACTOR));
const count = async (table: string, accountId: string, condition = 'true') =>
  (
    await world.row<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1 AND ${condition}`,
      accountId,
    )
  )?.count;
/** Until a round finds nothing more. */
async function runPurges(): Promise<void> {
  for (const purge of Object.values(createPurges(world.dataSource, 1))) await purge();
}

async function runDeletion(): Promise<void> {
  const deletion = new EndedAccountJobDeletion(world.dataSource, world.hooks, files.store);
  while (await deletion.runBatch(new AbortController().signal));
}

async function createCompletedJob(accountId: string): Promise<string> {
  const id = await world.newJob({ of: accountId });
  await files.putBytes(buildTranscriptDocumentKey(id, 1));
  const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(id, 1, 'json') } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
  return id;
}
const markAudioDeleted = () =>
  world.rows(`UPDATE job SET audio_deleted_at = now() WHERE status <> 'processing'`);

describe('an ended account', () => {
  it('its keys, members and invitations are gone, once, and others stay', async () => {
    for (const account of [world.accountId, other]) {
      await world.rows(
        `INSERT INTO api_key (id, account_id, name, hash) VALUES ($1::text, $1::uuid, 'key', '')`,
        account,
      );
      await world.rows(
        `WITH added AS (INSERT INTO app_user (id, email, name) VALUES ($1::uuid, $1::text || '@example.org', '') RETURNING id)
         INSERT INTO membership (user_id, account_id, role) SELECT id, $1::uuid, 'owner' FROM added`,
        account,
      );
    }
    const ends = await Promise.allSettled([end(), end()]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await count('api_key', world.accountId, 'revoked_at IS NULL')).toBe(0);
    expect(await count('membership', world.accountId)).toBe(0);
    expect(await count('audit_event', world.accountId, `action = 'account.ended'`)).toBe(1);
    expect(await count('api_key', other, 'revoked_at IS NULL')).toBe(1);
    expect(await count('membership', other)).toBe(1);
  });

  it('its jobs and transcripts are deleted, and those of other accounts stay', async () => {
    const [own, foreign] = [await createCompletedJob(world.accountId), await createCompletedJob(other)];
    await world.newJob();
    await world.newJob({ of: other });
    await markAudioDeleted();
    await runDeletion();
    expect(await count('job', world.accountId)).toBe(2);
    await end();
    await runDeletion();
    // The job that was cancelled waits until its audio is deleted.
    expect(await count('job', world.accountId)).toBe(1);
    expect(await count('job', world.accountId, `failed_stage = 'cancelled'`)).toBe(1);
    await markAudioDeleted();
    await runDeletion();
    expect(await count('job', world.accountId)).toBe(0);
    expect(await count('job', other)).toBe(2);
    expect(await files.listKeys(`transcripts/${own}/`)).toEqual([]);
    expect(await files.listKeys(`transcripts/${foreign}/`)).toHaveLength(1);
    expect(await count('credit_entry', world.accountId)).toBeGreaterThan(0);
  });

  it('audio of its jobs that a PUT stores afterwards is deleted', async () => {
    const id = await createCompletedJob(world.accountId);
    await markAudioDeleted();
    await end();
    await runDeletion();
    expect(await count('job', world.accountId)).toBe(0);
    await files.putBytes(buildUploadedAudioKey(id));
    await deleteObjectsOfDeletedJobs(world.dataSource, files.store, new AbortController().signal);
    expect(await files.listKeys(`audio/${id}`)).toEqual([]);
    expect(await world.rows('SELECT FROM deleted_job WHERE job_id = $1', id), 'more may come').toHaveLength(
      1,
    );
  });
});

describe('the webhook endpoints of an ended account', () => {
  const endByOwner = () => {
    const confirmation = { confirm: async () => undefined };
    const controller = new AccountSettingsController(
      world.dataSource,
      confirmation as never,
      null,
      {} as never,
    );
    const session = { accountId: world.accountId } as never;
    return controller.end(session, ACTOR, { name: 'test', current_password: undefined }, undefined as never);
  };

  async function insertEndpointWithDeliveries(accountId: string): Promise<void> {
    const job = await createCompletedJob(accountId);
    await world.rows(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoint (id, account_id, url, events)
         VALUES (gen_random_uuid(), $1, 'https://receiver.example', '{completed}') RETURNING id)
       INSERT INTO webhook_delivery (id, account_id, endpoint_id, job_id, event, url, state)
       SELECT gen_random_uuid(), $1, endpoint.id, job_id, event, 'https://receiver.example', state
       FROM endpoint CROSS JOIN (VALUES ($2::uuid, 'completed', 'pending'), (NULL, 'test', 'pending')) given (job_id, event, state)`,
      ...[accountId, job],
    );
  }

  it('get nothing more, and the request that ends it deletes no delivery', async () => {
    await insertEndpointWithDeliveries(world.accountId);
    await insertEndpointWithDeliveries(other);
    await endByOwner();
    expect(await count('webhook_delivery', world.accountId)).toBe(2);
    expect(await count('webhook_endpoint', world.accountId, '(deleted_at IS NULL OR enabled)')).toBe(0);
    await runDeletion();
    expect(await count('webhook_delivery', world.accountId, `state = 'pending'`)).toBe(0);
    expect(await count('webhook_delivery', other, `state = 'pending'`)).toBe(2);
    expect(await count('webhook_endpoint', other, 'deleted_at IS NULL AND enabled')).toBe(1);
  });

  it('are deleted after their deliveries, which end with the jobs and with old test events', async () => {
    await insertEndpointWithDeliveries(world.accountId);
    await endByOwner();
    await markAudioDeleted();
    await runDeletion();
    await runPurges();
    expect(await count('webhook_delivery', world.accountId)).toBe(1);
    expect(await count('webhook_endpoint', world.accountId)).toBe(1);
    await world.rows(`UPDATE webhook_delivery SET finished_at = now() - interval '2 days'`);
    await runPurges();
    expect(await count('webhook_endpoint', world.accountId)).toBe(0);
  });

  it('are locked in the order of jobs that end', async () => {
    await insertEndpointWithDeliveries(world.accountId);
    const job = world.dataSource.createQueryRunner();
    await job.startTransaction();
    await job.query('SELECT FROM webhook_endpoint WHERE account_id = $1 FOR SHARE', [world.accountId]);
    const ending = endByOwner();
    await world.waitForBlockedTransaction();
    // As the charge of the job does, which must not wait for the end that waits for it.
    await job.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [world.accountId]);
    await job.commitTransaction();
    await job.release();
    await ending;
    expect(await count('webhook_endpoint', world.accountId, 'deleted_at IS NULL')).toBe(0);
  });
});
