import { randomUUID } from 'node:crypto';
import type { UserCaller } from '@app/auth';
import { inTransaction } from '@app/database';
import {
  buildRenderedTranscriptKey,
  deleteJob,
  endJob,
  lockJobWithTranscript,
  saveOrReplaceSegmentCorrection,
} from '@app/jobs';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SegmentCorrectionsService } from '../../apps/api/src/console/jobs/corrections.service.js';
import type { TranscriptRenderer } from '../../apps/api/src/transcripts/rendering/transcript-renderer.js';
import { SpeakersService } from '../../apps/api/src/speakers/speakers.service.js';
import { createExpiredTranscriptDeletionRunner } from '../../apps/processor/src/maintenance/transcript-deletion.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { createThrowawayStore, type ThrowawayStore } from '../support/throwaway-store.js';

let world: World;
let files: ThrowawayStore<FileObjectStore>;
let caller: UserCaller;
let jobId: string;

beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
  const userId = randomUUID();
  const email = 'a@example.org';
  caller = { accountId: world.accountId, keyId: null, userId, email } as UserCaller;
  await world.rows(`INSERT INTO app_user (id, email, name) VALUES ($1, $2, 'A')`, userId, email);
});
afterAll(async () => {
  await files.close();
  await world.close();
});
beforeEach(async () => {
  jobId = await world.newJob();
  const outcome = { status: 'completed', resultKey: buildRenderedTranscriptKey(jobId, 1, 'txt') } as const;
  await inTransaction(world.dataSource, (tx) => endJob(tx, world.hooks, jobId, outcome));
  await world.rows(`UPDATE job SET finished_at = now() - interval '9 days' WHERE id = $1`, jobId);
});

async function deleteTranscript(): Promise<void> {
  const runner = createExpiredTranscriptDeletionRunner(world.dataSource, files.store, 1);
  await runner.runBatch(new AbortController().signal);
}
async function deleteWholeJob(): Promise<void> {
  await inTransaction(world.dataSource, (tx) => deleteJob(tx, world.hooks, jobId, 0));
}

/** Of a transcript with one speaker and one segment. */
function createServices(whileTranscriptIsRead: () => Promise<void>) {
  const readOutline = async () => {
    await whileTranscriptIsRead();
    return { speakers: ['SPEAKER_1'], segmentCount: 1 };
  };
  const renderer = { readOutline } as unknown as TranscriptRenderer;
  const corrections = new SegmentCorrectionsService(world.dataSource, renderer);
  const speakers = new SpeakersService(world.dataSource, renderer);
  return {
    correct: () => corrections.save(caller, jobId, 0, { text: 'Corrected.' }),
    name: () => speakers.nameSpeakers(caller, jobId, { speakers: { SPEAKER_1: 'Ada' } }),
  };
}

const listCorrections = () =>
  world.rows<{ text: string }>('SELECT text FROM transcript_correction WHERE job_id = $1', jobId);
const readNames = async () =>
  (await world.row<{ names: unknown }>('SELECT speaker_names AS names FROM job WHERE id = $1', jobId))?.names;
const listAuditActions = async () =>
  (await world.rows<{ action: string }>('SELECT action FROM audit_event WHERE target = $1', jobId)).map(
    ({ action }) => action,
  );

describe('a change of a transcript', () => {
  it('is stored while the transcript is there', async () => {
    const { correct, name } = createServices(() => Promise.resolve());
    await correct();
    expect(await name()).toEqual({ job_id: jobId, speakers: { SPEAKER_1: 'Ada' } });
    expect(await listCorrections()).toEqual([{ text: 'Corrected.' }]);
    expect(await readNames()).toEqual({ SPEAKER_1: 'Ada' });
  });

  it('is refused if the transcript is deleted meanwhile, and stores nothing', async () => {
    await expect(createServices(deleteTranscript).correct()).rejects.toMatchObject({
      code: 'transcript_deleted',
    });
    await world.rows(`UPDATE job SET result_key = 'transcripts/x/f1/t.txt' WHERE id = $1`, jobId);
    await expect(createServices(deleteTranscript).name()).rejects.toMatchObject({
      code: 'transcript_deleted',
    });
    expect(await listCorrections()).toEqual([]);
    expect(await readNames()).toBeNull();
    expect(await listAuditActions()).toEqual([]);
  });

  it.each(['correct', 'name'] as const)('is refused if the job is deleted meanwhile: %s', async (change) => {
    await expect(createServices(deleteWholeJob)[change]()).rejects.toMatchObject({ code: 'job_not_found' });
    expect(await listAuditActions()).toEqual([]);
  });

  it('is deleted with the transcript if the deletion begins before it is stored', async () => {
    let deletion: Promise<void> | undefined;
    await inTransaction(world.dataSource, async (tx) => {
      await lockJobWithTranscript(tx, jobId);
      deletion = deleteTranscript();
      await world.waitForBlockedTransaction();
      await saveOrReplaceSegmentCorrection(tx, { jobId, segment: 0, text: 'Late.', userId: caller.userId });
    });
    await deletion;
    expect(await listCorrections()).toEqual([]);
  });
});
