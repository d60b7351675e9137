import { readTranscribedChunksBeforeFirstPending } from '@app/jobs';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
