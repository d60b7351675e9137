import type { Caller } from '@app/auth';
import { completeStageAndRecordStep, readTranscribedChunksBeforeFirstPending } from '@app/jobs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import type { TranscriptDownloadUrlService } from '../../apps/api/src/transcripts/transcript-download-url.service.js';
import { JobEventWatcher } from '../../apps/api/src/streaming/job-event-watcher.js';
import { JobStreamService } from '../../apps/api/src/streaming/job-stream.js';
import { StreamAdmissionQueue } from '../../apps/api/src/streaming/stream-admission-queue.js';
import { readUntilSettled } from '../../apps/api/src/transcribe/openai/render/read-until-settled.js';
import { TranscribedChunkReader } from '../../apps/api/src/transcribe/openai/transcribed-chunk-reader.js';
import { createDeferred } from '../support/deferred.js';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const addChunk = (jobId: string, index: number, input: object, result: object | null) =>
  world.rows(
    `INSERT INTO job_stage (job_id, account_id, name, queue, chunk_index, place, input, result, state)
     VALUES ($1, $2, 'chunk:' || $3::int, 'chunk', $3::int, 1, $4, $5, $6)`,
    jobId,
    world.accountId,
    index,
    JSON.stringify(input),
    result && JSON.stringify(result),
    result ? 'done' : 'pending',
  );

it('chunks up to the first pending one are read with their channel and the end of their audio', async () => {
  const jobId = await world.newJob();
  const result = { language: 'en', words: [] };
  await addChunk(jobId, 0, { end: 10, channel: 1 }, result);
  await addChunk(jobId, 1, { end: 5.5, channel: 2 }, result);
  await addChunk(jobId, 2, { end: 20 }, result);
  await addChunk(jobId, 3, { end: 30 }, null);
  await addChunk(jobId, 4, { end: 40 }, result);
  const read = (firstIndex: number) =>
    readTranscribedChunksBeforeFirstPending(world.dataSource, {
      accountId: world.accountId,
      jobId,
      firstIndex,
    });
  expect(await read(0)).toEqual([
    { index: 0, end: 10, channel: 1, ...result },
    { index: 1, end: 5.5, channel: 2, ...result },
    { index: 2, end: 20, channel: null, ...result },
  ]);
  expect((await read(2)).map(({ index }) => index)).toEqual([2]);
});

it('a chunk that ends while the file is still being split is read at once', async () => {
  const jobId = await world.newJob();
  for (const index of [0, 1]) await addChunk(jobId, index, { end: 10 * (index + 1) }, null);
  const watcher = new JobEventWatcher(world.dataSource);
  await watcher.onModuleInit();
  const source = new TranscribedChunkReader(world.dataSource, createJobStreams(watcher)).openSource(
    { accountId: world.accountId } as Caller,
    jobId,
    { filler_words: true, redact: null },
  );
  const [opened, closed] = [createDeferred(), createDeferred()];
  const read = async () => {
    const chunks = await source.read();
    opened.resolve();
    return chunks;
  };
  const received = readUntilSettled(closed.promise, 3_600_000, { ...source, read });
  const first = received.next();
  await opened.promise;
  const words = [{ text: 'Hello', start: 1, end: 2 }];
  const { signal } = new AbortController();
  const outcome = await world.run(
    jobId,
    'chunk:0',
    signal,
    async (stage) => (tx) => completeStageAndRecordStep(tx, stage, { language: 'en', words }),
  );
  expect(outcome).toBe('committed');
  expect(await world.row('SELECT steps_total FROM job WHERE id = $1', jobId)).toEqual({ steps_total: null });
  expect((await first).value).toEqual([{ end: 10, channel: null, text: 'Hello' }]);
  closed.resolve();
  await received.return(undefined);
  await watcher.onModuleDestroy();
});

function createJobStreams(watcher: JobEventWatcher): JobStreamService {
  const options = { streams: { maxConcurrent: 5, heartbeatSeconds: 60, waitingSeconds: 1 } } as ApiOptions;
  const noUrls = {} as TranscriptDownloadUrlService;
  return new JobStreamService(world.dataSource, watcher, new StreamAdmissionQueue(options), noUrls, options);
}
