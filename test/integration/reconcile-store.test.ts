import { CreditJobHooks } from '@app/billing';
import { inTransaction } from '@app/database';
import { incrementBothGenerations, claimOrVerifyStore, compareStoreIdentities } from '@app/installation';
import {
  addOrRestartStages,
  buildUploadedAudioKey,
  beginAudioIntake,
  buildChunkStageName,
  combineJobHooks,
  completeStage,
  DEFAULT_JOB_OPTIONS,
  buildTranscriptDocumentKey,
  endJob,
  buildRenderedTranscriptKey,
  buildTranscriptPrefix,
} from '@app/jobs';
import { WebhookJobHooks } from '@app/webhooks';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  recheckAndDeleteListedOrphans,
  listOrphanObjectsAndUploads,
} from '../../apps/admin/src/store/orphan-objects.js';
import { completeStoredJobsAndAcceptDatabase } from '../../apps/admin/src/store/reconcile-store.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createInstalledWorld, simulateRestoreOfOlderRows } from '../support/installations.js';
import { ROW_INVARIANTS } from '../support/invariants/row-invariants.js';
import { JobRows } from '../support/job-rows.js';
import type { World } from '../support/job-world.js';
import { createStoreScans } from '../support/store-scans.js';

const UNKNOWN = '0193a5c0-0000-7000-8000-00000000abcd';

let world: World;
let files: ThrowawayStore;
let job: JobRows;
beforeAll(async () => {
  [world, files] = await Promise.all([createInstalledWorld(), createThrowawayStore()]);
  job = new JobRows(world);
  await claimOrVerifyStore(world.dataSource, files.store);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

const reconcile = (isDry: boolean) => {
  const hooks = combineJobHooks(new WebhookJobHooks(), new CreditJobHooks(1));
  return completeStoredJobsAndAcceptDatabase(
    { dataSource: world.dataSource, store: files.store, hooks },
    isDry,
  );
};

async function putDocument(jobId: string, fence: number, about: object = { job_id: jobId, duration: 12.5 }) {
  await files.store.put(
    buildTranscriptDocumentKey(jobId, fence),
    Buffer.from(JSON.stringify(about)),
    'application/json',
  );
}

async function createOpenJob(options: object = {}, of?: string): Promise<string> {
  const id = await world.newJob(of === undefined ? {} : { of });
  await world.rows('UPDATE job SET options = $2 WHERE id = $1', id, { ...DEFAULT_JOB_OPTIONS, ...options });
  return id;
}

describe('reconciling an older database with its store', () => {
  let ids: Record<
    'finished' | 'inText' | 'notRendered' | 'audio' | 'withoutAudio' | 'chunked' | 'completed' | 'unpaid',
    string
  >;
  beforeAll(async () => {
    const poorAccountId = await world.newAccount();
    await world.rows('UPDATE account SET balance = 3 WHERE id = $1', poorAccountId);
    await world.rows(`UPDATE credit_entry SET amount = 3 WHERE account_id = $1`, poorAccountId);
    ids = {
      finished: await createOpenJob({ callback_url: 'https://receiver.example/hook' }),
      inText: await createOpenJob({ output_type: 'txt' }),
      notRendered: await createOpenJob({ output_type: 'txt' }),
      audio: await createOpenJob(),
      withoutAudio: await createOpenJob(),
      chunked: await createOpenJob(),
      completed: await createOpenJob(),
      unpaid: await createOpenJob({}, poorAccountId),
    };
    for (const id of [ids.finished, ids.inText, ids.notRendered, ids.unpaid, UNKNOWN])
      await putDocument(id, 3);
    await putDocument(ids.finished, 11);
    await files.putBytes(buildRenderedTranscriptKey(ids.inText, 3, 'txt'));
    for (const id of [ids.audio, ids.notRendered]) await files.putBytes(buildUploadedAudioKey(id));
    await inTransaction(world.dataSource, (tx) =>
      addOrRestartStages(tx, ids.chunked, [
        { name: buildChunkStageName(0), chunkIndex: 0, input: { key: 'work/a/chunk' } },
      ]),
    );
    await files.putBytes('work/a/chunk');
    await world.rows(
      `UPDATE job_stage SET state = 'done' WHERE job_id = $1 AND name = 'preprocess'`,
      ids.chunked,
    );
    await world.rows(
      `UPDATE job SET status = 'completed', result_key = $2, finished_at = now() WHERE id = $1`,
      ids.completed,
      buildTranscriptDocumentKey(ids.completed, 1),
    );
    const { row } = await compareStoreIdentities(world.dataSource, files.store);
    await files.store.put(
      'zephyr-installation.json',
      Buffer.from(
        JSON.stringify({
          version: 1,
          installation_id: row.installationId,
          store_id: row.storeId,
          generation: row.generation + 9,
        }),
      ),
      'application/json',
    );
    await simulateRestoreOfOlderRows(world, row.generation);
  });

  it('a dry run compares every job and changes nothing', async () => {
    const keys = await files.listKeys('');
    const found = await reconcile(true);
    expect([...found.finished.keys()].toSorted()).toEqual([ids.finished, ids.inText, ids.unpaid].toSorted());
    expect(found.finished.get(ids.finished)).toEqual({
      resultKey: buildTranscriptDocumentKey(ids.finished, 11),
      duration: 12.5,
    });
    expect(found.continuing.toSorted()).toEqual([ids.notRendered, ids.audio, ids.chunked].toSorted());
    expect(found.audioMissing).toEqual([ids.withoutAudio]);
    expect(found.transcriptMissing).toEqual([ids.completed]);
    expect(found.withoutRow).toEqual({ jobs: [UNKNOWN], objects: 1 });
    expect(await files.listKeys('')).toEqual(keys);
    expect(await world.row('SELECT status FROM job WHERE id = $1', ids.finished)).toEqual({
      status: 'processing',
    });
    expect((await compareStoreIdentities(world.dataSource, files.store)).state).toBe('database_older');
  });

  it('a run with --yes completes, charges and notifies finished jobs once, and accepts the database', async () => {
    const found = await reconcile(false);
    expect(found.completed.toSorted()).toEqual([ids.finished, ids.inText].toSorted());
    expect(found.notPaidFor).toEqual([ids.unpaid]);
    expect(await job.finalState(ids.inText)).toEqual({ status: 'completed', failed_stage: null });
    expect(await job.ledgerEntries(ids.finished)).toEqual(['hold -13', 'release 13', 'capture -13']);
    const deliveries = 'SELECT event FROM webhook_delivery WHERE job_id = $1';
    expect(await world.rows(deliveries, ids.finished)).toEqual([{ event: 'completed' }]);
    expect(await job.auditActions(ids.finished)).toEqual(['job.completed_from_store']);
    await world.relay();
    const violations: (string | null)[] = [];
    for (const rule of ROW_INVARIANTS)
      for (const { what } of await world.rows<{ what: string | null }>(rule.violationsQuery))
        violations.push(what);
    expect(violations.filter((what) => what?.includes(ids.finished))).toEqual([]);
    expect((await compareStoreIdentities(world.dataSource, files.store)).state).toBe('agreed');
    expect((await reconcile(false)).completed).toEqual([]);
    expect(await job.ledgerEntries(ids.finished)).toHaveLength(3);
  });
});

describe('reconciling while programs run', () => {
  it('a job whose processor has just stored its transcript is left to that processor', async () => {
    const id = await createOpenJob();
    await inTransaction(world.dataSource, (tx) =>
      addOrRestartStages(tx, id, [{ name: 'aggregation', chunkIndex: 0, input: {} }]),
    );
    await world.rows(`UPDATE job SET duration = 12.5, steps_total = 1, steps_done = 1 WHERE id = $1`, id);
    await world.rows(`UPDATE job_stage SET state = 'done' WHERE job_id = $1 AND name = 'preprocess'`, id);
    const resultKey = buildTranscriptDocumentKey(id, 1);
    let listed: string[] = [];
    const result = await world.run(id, 'aggregation', new AbortController().signal, async (stage) => {
      await putDocument(id, 1);
      const found = await reconcile(false);
      expect(found.completed).not.toContain(id);
      listed = found.inProgress;
      return async (tx) => {
        await completeStage(tx, stage, null);
        await endJob(tx, world.hooks, id, { status: 'completed', resultKey });
      };
    });
    expect(result).toBe('committed');
    expect(listed).toEqual([id]);
    expect(await job.finalState(id)).toEqual({ status: 'completed', failed_stage: null });
  });

  it('a job that was claimed after the comparison is not completed', async () => {
    const id = await createOpenJob();
    await putDocument(id, 1);
    const read = files.store.list.bind(files.store);
    const listing = vi.spyOn(files.store, 'list').mockImplementation(async function* (prefix, signal) {
      yield* read(prefix, signal);
      if (prefix === buildTranscriptPrefix(id))
        await world.rows(
          `UPDATE job_stage SET state = 'running', lease_until = now() + interval '1 hour' WHERE job_id = $1`,
          id,
        );
    });
    onTestFinished(() => listing.mockRestore());
    const found = await reconcile(false);
    expect(found.finished.has(id)).toBe(true);
    expect(found.completed).not.toContain(id);
    expect(await world.row('SELECT status FROM job WHERE id = $1', id)).toEqual({ status: 'processing' });
  });

  it('changes between the two reads are not reported as missing objects', async () => {
    const [completing, ending] = [await createOpenJob(), await createOpenJob()];
    const read = files.store.list.bind(files.store);
    const [complete, fail] = [
      { status: 'completed', resultKey: buildTranscriptDocumentKey(completing, 1) },
      { status: 'failed', stage: 'cancelled', reason: 'x' },
    ] as const;
    const end = (id: string, outcome: typeof complete | typeof fail) =>
      inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, id, outcome));
    const listing = vi.spyOn(files.store, 'list').mockImplementation(async function* (prefix, signal) {
      yield* read(prefix, signal);
      if (prefix === 'transcripts/') {
        await putDocument(completing, 1);
        await end(completing, complete);
      }
      if (prefix === buildTranscriptPrefix(ending)) await end(ending, fail);
    });
    onTestFinished(() => listing.mockRestore());
    const found = await reconcile(true);
    expect(found.transcriptMissing).not.toContain(completing);
    expect(found.audioMissing).not.toContain(ending);
  });
});

describe('audio of jobs whose rows a restore has lost', () => {
  it('reconciling reports the audio, no sweep deletes it, and only store orphans delete removes it', async () => {
    const [lostJobId, receivingJobId, open] = [await createOpenJob(), uuidv7(), await createOpenJob()];
    const audio = [lostJobId, receivingJobId].map(buildUploadedAudioKey);
    const keys = [...audio, buildUploadedAudioKey(open)];
    for (const key of keys) await files.putBytes(key);
    await beginAudioIntake(world.dataSource, receivingJobId, 3600);
    await world.rows('DELETE FROM job WHERE id = $1', lostJobId);
    await incrementBothGenerations(world.dataSource, files.store);
    await simulateRestoreOfOlderRows(world, 0);
    const found = await reconcile(false);
    expect(found.withoutRow.jobs).toEqual(expect.arrayContaining([lostJobId, receivingJobId]));
    await createStoreScans(world, files).scanDaily(40);
    expect(await files.listKeys('audio/')).toEqual(expect.arrayContaining(keys));
    const orphans = await listOrphanObjectsAndUploads(world.dataSource, files.store);
    const audioOrphans = orphans.filter(({ key }) => key.startsWith('audio/'));
    expect(audioOrphans.map(({ key }) => key)).toEqual(audio.toSorted());
    expect(await recheckAndDeleteListedOrphans(world.dataSource, files.store, audioOrphans)).toBe(2);
    const remainingKeys = await files.listKeys('audio/');
    expect(remainingKeys.filter((key) => keys.includes(key))).toEqual([buildUploadedAudioKey(open)]);
  });
});

it('the store of another installation is not reconciled', async () => {
  const other = await createInstalledWorld();
  try {
    const sides = { dataSource: other.dataSource, store: files.store, hooks: other.hooks };
    await expect(completeStoredJobsAndAcceptDatabase(sides, false)).rejects.toThrow('do not belong together');
  } finally {
    await other.close();
  }
});
