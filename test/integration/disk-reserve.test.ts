import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inTransaction } from '@app/database';
import { cancelJob, createJobAndEnqueueIfUrl, type StageHandler } from '@app/jobs';
import type { OutboundClient } from '@app/outbound';
import type { FileObjectStore } from '@app/storage';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FetchStage } from '../../apps/processor/src/fetch/fetch.stage.js';
import { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { withScratchSubdirectory } from '../../apps/processor/src/scratch/with-scratch-subdirectory.js';
import { createJobWorld, type World } from '../support/job-world.js';
import { buildUrlJob } from '../support/new-job.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';

const neverAborted = new AbortController().signal;
const MIB = 2 ** 20;
/** More than any disk has. */
const TOO_MANY_BYTES = 2 ** 52;
const OPTIONS = {
  ...{ audioBytes: Number.MAX_SAFE_INTEGER, audioFetchSeconds: 60 },
  ...{ diskReserveBytes: 1, storedBytesQuota: 1_000 },
} as ProcessorOptions;

let world: World;
let files: ThrowawayStore<FileObjectStore>;
beforeAll(async () => void ([world, files] = await Promise.all([createJobWorld(), createThrowawayStore()])));
afterAll(async () => {
  await files.close();
  await world.close();
});

const readStage = (id: string, name: string) =>
  world.row<{ attempts: number; delay: number; error: string }>(
    `SELECT attempts, round(extract(epoch FROM due_at - now()))::int AS delay, last_error AS error
     FROM job_stage WHERE job_id = $1 AND name = $2`,
    id,
    name,
  );

/** Within the seconds that the test may have taken since. */
const about = (seconds: number) =>
  expect.toSatisfy((delay: number) => delay > seconds - 10 && delay <= seconds, `about ${seconds}`);

function createUrlJob(accountId: string): Promise<string> {
  return inTransaction(world.dataSource, (tx) => createJobAndEnqueueIfUrl(tx, buildUrlJob({ accountId })));
}

type FetchAudio = () => Promise<{ body: Readable; contentLength?: number }>;

const createStage = (fetchAudio: FetchAudio) =>
  new FetchStage(files.store, { fetchAudio } as unknown as OutboundClient, OPTIONS, world.dataSource);

function runFetch(id: string, fetchAudio: FetchAudio) {
  const stage = createStage(fetchAudio);
  return world.run(id, 'fetch', neverAborted, (claimed, signal) => stage.work(claimed, signal));
}

describe('a fetch of a file that the disk has no room for', () => {
  it('writes nothing, waits without a counted attempt and closes the connection', async () => {
    const id = await createUrlJob(world.accountId);
    const read = vi.fn(() => void body.push(null));
    const body: Readable = new Readable({ read });
    const fetchAudio = async () => ({ body, contentLength: TOO_MANY_BYTES });
    expect(await runFetch(id, fetchAudio)).toBe('released');
    expect(await readStage(id, 'fetch')).toMatchObject({
      ...{ attempts: 0, delay: about(300) },
      error: expect.stringMatching(/disk of the object store has no room/),
    });
    expect(read).not.toHaveBeenCalled();
    expect(body.destroyed).toBe(true);
  });

  it('waits as long when the disk becomes full meanwhile', async () => {
    const id = await createUrlJob(world.accountId);
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('so');
        throw full;
      })(),
    );
    expect(await runFetch(id, async () => ({ body }))).toBe('released');
    expect(await readStage(id, 'fetch')).toMatchObject({ attempts: 0, delay: about(300) });
  });
});

describe('preprocess of a file that the work disk has no room for', () => {
  it('copies nothing and waits without a counted attempt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-reserve-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { store } = files;
    const id = await world.newJob();
    const { key } = (await world.row<{ key: string }>(
      `UPDATE job SET stored_size = ${TOO_MANY_BYTES}, stored_etag = NULL WHERE id = $1 RETURNING audio_key AS key`,
      id,
    )) ?? { key: '' };
    await storeInTwoParts(key);
    const source = new StoredJobAudioDownloader(store, OPTIONS);
    let left: string[] | undefined;
    const work: StageHandler = (stage, signal) =>
      withScratchSubdirectory(async (scratch) => {
        try {
          await source.fetchToFile(stage, join(scratch, 'audio'), signal);
        } finally {
          left = await readdir(scratch);
        }
        return expect.unreachable('it was copied');
      });
    expect(await world.run(id, 'preprocess', neverAborted, work)).toBe('released');
    expect(left).toEqual([]);
    expect(await readStage(id, 'preprocess')).toMatchObject({
      attempts: 0,
      error: expect.stringMatching(/^This machine has no room.*ENOSPC/),
    });
  });

  async function storeInTwoParts(key: string): Promise<void> {
    const { store } = files;
    const uploadId = await store.createMultipart(key, 'audio/wav');
    const parts = [];
    for (const partNumber of [1, 2]) {
      const body = Readable.from([Buffer.alloc(5 * MIB, partNumber)]);
      parts.push({ partNumber, etag: await store.putPart(key, uploadId, partNumber, body) });
    }
    await store.completeMultipart(key, uploadId, parts);
  }
});

describe('a fetch for an account whose stored audio is at its quota', () => {
  it('waits without a counted attempt, sends no request, and runs when there is room', async () => {
    const accountId = await world.newAccount();
    const stored = await world.newJob({ of: accountId });
    await world.rows('UPDATE job SET stored_size = 1000 WHERE id = $1', stored);
    const id = await createUrlJob(accountId);
    const fetchAudio = vi.fn(async () => ({ body: Readable.from([Buffer.from('sound')]) }));
    expect(await runFetch(id, fetchAudio)).toBe('released');
    expect(await readStage(id, 'fetch')).toMatchObject({
      ...{ attempts: 0, delay: about(60) },
      error: expect.stringContaining('quota'),
    });
    expect(fetchAudio).not.toHaveBeenCalled();
    await inTransaction(world.dataSource, (tx) => cancelJob(tx, world.hooks, stored));
    expect(await runFetch(id, fetchAudio)).toBe('committed');
  });

  it('waits after another fetch has reached it, and the open jobs are read once', async () => {
    const accountId = await world.newAccount();
    const [first, second] = [await createUrlJob(accountId), await createUrlJob(accountId)];
    const fetchAudio = async () => ({ body: Readable.from([Buffer.alloc(1_000)]) });
    const stage = createStage(fetchAudio);
    const run = (id: string) =>
      world.run(id, 'fetch', neverAborted, (claimed, signal) => stage.work(claimed, signal));
    const query = vi.spyOn(world.dataSource, 'query');
    onTestFinished(() => query.mockRestore());
    expect(await run(first)).toBe('committed');
    expect(await run(second)).toBe('released');
    expect(query.mock.calls.filter(([sql]) => sql.includes('sum(stored_size)'))).toHaveLength(1);
  });

  it('follows the quota of the account', async () => {
    const accountId = await world.newAccount();
    const stored = await world.newJob({ of: accountId });
    await world.rows('UPDATE job SET stored_size = 1000 WHERE id = $1', stored);
    await world.rows(`UPDATE account SET quotas = '{"storedBytes": 1001}' WHERE id = $1`, accountId);
    const id = await createUrlJob(accountId);
    expect(await runFetch(id, async () => ({ body: Readable.from([Buffer.from('sound')]) }))).toBe(
      'committed',
    );
  });

  it('does not wait for itself when the audio is fetched again', async () => {
    const accountId = await world.newAccount();
    const id = await createUrlJob(accountId);
    await world.rows('UPDATE job SET stored_size = 1000 WHERE id = $1', id);
    expect(await runFetch(id, async () => ({ body: Readable.from([Buffer.from('sound')]) }))).toBe(
      'committed',
    );
  });
});
