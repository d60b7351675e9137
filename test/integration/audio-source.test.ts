import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  cancelJob,
  claimNextStage,
  createJobAndEnqueueIfUrl,
  enqueueJob,
  UnrecoverableStageError,
} from '@app/jobs';
import type { OutboundClient } from '@app/outbound';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FetchStage } from '../../apps/processor/src/fetch/fetch.stage.js';
import { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUrlJob } from '../support/new-job.js';

const neverAborted = new AbortController().signal;
const OPTIONS = {
  ...{ audioBytes: 1e9, audioFetchSeconds: 60 },
  ...{ diskReserveBytes: 0, storedBytesQuota: 1e12 },
} as ProcessorOptions;

let world: World;
let folder: string;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
  folder = await mkdtemp(join(tmpdir(), 'audio-source-'));
});
afterAll(async () => {
  await files.close();
  await rm(folder, { recursive: true, force: true });
  await world.close();
});

/** A fetch stage whose URL returns this body. */
function createFetch(body: Readable): FetchStage {
  const outbound = { fetchAudio: () => Promise.resolve({ body, contentLength: undefined }) };
  return new FetchStage(files.store, outbound as unknown as OutboundClient, OPTIONS, world.dataSource);
}

const runFetch = (id: string, body: Readable) =>
  world.run(id, 'fetch', neverAborted, (stage, signal) => createFetch(body).work(stage, signal));

const createBody = (text: string) => Readable.from([Buffer.from(text)]);
const AUDIO_URL = 'https://example.com/a.mp3';

function createUrlJob(audioUrl = AUDIO_URL, accountId = world.accountId): Promise<string> {
  return inTransaction(world.dataSource, (tx) =>
    createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId, audioUrl })),
  );
}

/** Reads the audio of the job as preprocess does. */
async function readAudio(id: string): Promise<string> {
  await world.rows(`UPDATE job_stage SET due_at = 'infinity' WHERE state = 'pending' AND job_id <> $1`, id);
  const stage = await claimNextStage(world.dataSource, 'preprocess', 10);
  if (!stage) throw new Error('not free');
  const path = join(folder, id);
  await new StoredJobAudioDownloader(files.store, OPTIONS).fetchToFile(stage, path, neverAborted);
  return readText(path);
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

describe('audio from a URL', () => {
  it('preprocess reads the fetched audio, and reads it again in a second attempt', async () => {
    const id = await createUrlJob();
    expect(await runFetch(id, createBody('once'))).toBe('committed');
    expect(await readAudio(id)).toBe('once');
    await world.loseLease(id);
    expect(await readAudio(id)).toBe('once');
  });

  it('the audio is not lost when Postgres is unavailable at the end of the download', async () => {
    const id = await createUrlJob();
    const transaction = vi.spyOn(world.dataSource, 'createQueryRunner');
    onTestFinished(() => transaction.mockRestore());
    const refuseOnce = () => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    };
    const body = Readable.from(
      (async function* () {
        transaction.mockClear();
        transaction.mockImplementationOnce(refuseOnce);
        yield Buffer.from('kept');
      })(),
    );
    expect(await runFetch(id, body)).toBe('committed');
    expect(transaction).toHaveBeenCalledTimes(2);
    expect(await readAudio(id)).toBe('kept');
  });

  it('the query string of the URL is deleted when the job ends', async () => {
    const id = await createUrlJob(`${AUDIO_URL}?token=secret`);
    const readAudioUrl = () =>
      world.row<{ url: string }>('SELECT audio_url AS url FROM job WHERE id = $1', id);
    expect(await readAudioUrl()).toEqual({ url: `${AUDIO_URL}?token=secret` });
    await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, id));
    expect(await readAudioUrl()).toEqual({ url: AUDIO_URL });
  });

  it('a worker that lost its lease does not overwrite the audio of the new lease holder', async () => {
    const id = await createUrlJob();
    const slow = new Readable({ read: () => undefined });
    slow.push(Buffer.from('la'));
    const outdated = runFetch(id, slow);
    await expect
      .poll(() => world.row(`SELECT FROM job_stage WHERE job_id = $1 AND state = 'running'`, id))
      .toBeDefined();
    await world.loseLease(id);
    expect(await runFetch(id, createBody('newer'))).toBe('committed');
    slow.push(Buffer.from('te'));
    slow.push(null);
    expect(await outdated).toBe('stale');
    expect(await readAudio(id)).toBe('newer');
  });

  it('a fetch that fails for good ends the job at the step preprocess', async () => {
    const id = await createUrlJob();
    const work = () => Promise.reject(new UnrecoverableStageError('The server answered 404.'));
    expect(await world.run(id, 'fetch', neverAborted, work)).toBe('failed');
    expect(await world.row('SELECT failed_stage FROM job WHERE id = $1', id)).toEqual({
      failed_stage: 'preprocess',
    });
    expect(await world.row(`SELECT data->>'step' AS step FROM job_event WHERE job_id = $1`, id)).toEqual({
      step: 'preprocess',
    });
  });

  it('an account has no more fetches running than its limit, and other accounts fetch meanwhile', async () => {
    const other = await world.newAccount();
    for (let count = 0; count < 3; count += 1) await createUrlJob();
    await world.rows(`UPDATE job_stage SET due_at = now() WHERE state = 'pending' AND queue = 'fetch'`);
    const claimed = await createUrlJob(AUDIO_URL, other);
    const claim = () => claimNextStage(world.dataSource, 'fetch', 10, 1);
    const owners = [(await claim())?.accountId, (await claim())?.accountId];
    expect(new Set(owners)).toEqual(new Set([world.accountId, other]));
    expect(await claim()).toBeNull();
    await world.loseLease(claimed);
    expect((await claim())?.accountId).toBe(other);
  });
});

describe('uploaded audio', () => {
  /** Creates a job with a completed upload of these bytes. */
  async function completeUpload(bytes: string): Promise<string> {
    const id = await world.newJob({ enqueue: false });
    const stored = await files.store.put(
      buildUploadedAudioKey(id),
      Buffer.from(bytes),
      'application/octet-stream',
    );
    await inTransaction(world.dataSource, (tx) =>
      enqueueJob(tx, id, { storedObject: stored, deadlineSeconds: 3600 }),
    );
    return id;
  }
  it('the stage reads the bytes of the completed upload', async () => {
    expect(await readAudio(await completeUpload('bytes'))).toBe('bytes');
  });

  it('the job fails when the bytes were replaced after completion, even with the same size', async () => {
    const id = await completeUpload('bytes');
    await files.store.put(buildUploadedAudioKey(id), Buffer.from('other'), 'application/octet-stream');
    const outcome = await readAudio(id).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(UnrecoverableStageError);
    expect(outcome).toMatchObject({ message: expect.stringContaining('changed after the upload') });
    await expect(readText(join(folder, id))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
