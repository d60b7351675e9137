import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inTransaction } from '@app/database';
import {
  buildUploadedAudioKey,
  cancelJob,
  type ClaimedStage,
  claimNextStage,
  createJobInTransaction,
  DEFAULT_JOB_OPTIONS,
  enqueueJob,
  UnrecoverableStageError,
  LeaseLostError,
} from '@app/jobs';
import type { OutboundClient } from '@app/outbound';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AudioSource } from '../../apps/processor/src/preprocess/audio-source.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createJobWorld, type World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;

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

/** A source whose URL returns this body. */
function createSource(body: Readable): AudioSource {
  const outbound = { fetchAudio: () => Promise.resolve({ body, contentLength: undefined }) };
  const options = { audioBytes: 1e9, audioFetchSeconds: 60 } as ProcessorOptions;
  return new AudioSource(world.dataSource, files.store, outbound as unknown as OutboundClient, options);
}

const createBody = (text: string) => Readable.from([Buffer.from(text)]);
const AUDIO_URL = 'https://example.com/a.mp3';

function createUrlJob(audioUrl = AUDIO_URL): Promise<string> {
  return inTransaction(world.dataSource, async (tx) => {
    const id = await createJobInTransaction(tx, {
      accountId: world.accountId,
      source: 'url',
      options: DEFAULT_JOB_OPTIONS,
      audioUrl,
      contentType: 'application/octet-stream',
      uploadSeconds: null,
      deadlineSeconds: 3600,
    });
    return id;
  });
}

async function claimPreprocess(): Promise<ClaimedStage> {
  const stage = await claimNextStage(world.dataSource, 'preprocess', 10);
  if (!stage) throw new Error('not free');
  return stage;
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

describe('audio from a URL', () => {
  it('the audio is fetched once, and a second attempt reads it from the store', async () => {
    const id = await createUrlJob();
    await createSource(createBody('once')).fetchToFile(
      await claimPreprocess(),
      join(folder, 'first'),
      neverAborted,
    );
    await world.loseLease(id);
    const repeated = await createSource(createBody('twice')).fetchToFile(
      await claimPreprocess(),
      join(folder, 'again'),
      neverAborted,
    );
    expect(repeated).toBe(4);
    expect(await readText(join(folder, 'again'))).toBe('once');
  });

  it('the audio is not lost when Postgres is unavailable at the end of the download', async () => {
    await createUrlJob();
    const stage = await claimPreprocess();
    const query = vi.spyOn(world.dataSource, 'query');
    onTestFinished(() => query.mockRestore());
    query.mockRejectedValueOnce(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    await createSource(createBody('kept')).fetchToFile(stage, join(folder, 'kept'), neverAborted);
    expect(await readText(join(folder, 'kept'))).toBe('kept');
    expect(query).toHaveBeenCalledTimes(2);
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
    const outdated = createSource(slow).fetchToFile(
      await claimPreprocess(),
      join(folder, 'late'),
      neverAborted,
    );
    const outcome = outdated.catch((error: unknown) => error);
    slow.push(Buffer.from('la'));
    await world.loseLease(id);
    await createSource(createBody('newer')).fetchToFile(
      await claimPreprocess(),
      join(folder, 'newer'),
      neverAborted,
    );
    slow.push(Buffer.from('te'));
    slow.push(null);
    expect(await outcome).toBeInstanceOf(LeaseLostError);
    await world.loseLease(id);
    await createSource(createBody('')).fetchToFile(
      await claimPreprocess(),
      join(folder, 'last'),
      neverAborted,
    );
    expect(await readText(join(folder, 'last'))).toBe('newer');
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
  const fetchUploadedAudio = async (id: string) =>
    createSource(createBody(''))
      .fetchToFile(await claimPreprocess(), join(folder, id), neverAborted)
      .catch((error: unknown) => error);

  it('the stage reads the bytes of the completed upload', async () => {
    const id = await completeUpload('bytes');
    expect(await fetchUploadedAudio(id)).toBe(5);
    expect(await readText(join(folder, id))).toBe('bytes');
  });

  it('the job fails when the bytes were replaced after completion, even with the same size', async () => {
    const id = await completeUpload('bytes');
    await files.store.put(buildUploadedAudioKey(id), Buffer.from('other'), 'application/octet-stream');
    const outcome = await fetchUploadedAudio(id);
    expect(outcome).toBeInstanceOf(UnrecoverableStageError);
    expect(outcome).toMatchObject({ message: expect.stringContaining('changed after the upload') });
    await expect(readText(join(folder, id))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
