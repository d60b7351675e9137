import { inTransaction } from '@app/database';
import { addOrRestartStages, type ChunkInput, claimNextStage } from '@app/jobs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobWorld, type World } from '../support/job-world.js';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

const part = (start: number, end: number) => ({ audioStart: start, start, end });

/** The last of two chunks. @param attempt of preprocess, in which the chunks are stored */
const buildInput = (attempt: number, changes: Partial<ChunkInput> = {}): ChunkInput => ({
  ...{ key: `f${attempt}/chunk-1`, start: 30, end: 50, speech: [], speechDetector: 'model' },
  speakerBlock: {
    start: 0,
    chunks: [
      { key: `f${attempt}/chunk-0`, parts: [part(0, 30)] },
      { key: `f${attempt}/chunk-1`, parts: [part(30, 50)] },
    ],
  },
  ...changes,
});

const addChunk = (id: string, input: ChunkInput) =>
  inTransaction(world.dataSource, (tx) =>
    addOrRestartStages(tx, id, [{ name: 'chunk:1', chunkIndex: 1, input }]),
  );

/** Splits the file twice. @returns the row of the chunk, which a worker had claimed in between */
async function splitAgain(before: ChunkInput, after: ChunkInput) {
  const id = await world.newJob({ enqueue: false });
  await addChunk(id, before);
  expect(await claimNextStage(world.dataSource, 'chunk', 60)).toMatchObject({ jobId: id });
  await addChunk(id, after);
  return world.row('SELECT state, attempts, fence FROM job_stage WHERE job_id = $1', id);
}

const KEPT = { state: 'running', attempts: 1, fence: 1 };
const RESTARTED = { state: 'pending', attempts: 0, fence: 2 };

describe('a chunk of a file that is split again', () => {
  it('is kept if only the audio is stored elsewhere, its own and that of the chunks whose speakers it describes', async () => {
    expect(await splitAgain(buildInput(1), buildInput(2))).toEqual(KEPT);
  });

  it.each<[string, Partial<ChunkInput>]>([
    ['its times', { end: 51 }],
    ['its speech', { speech: [{ start: 0, end: 1 }] }],
    ['the start of its block', { speakerBlock: { ...buildInput(2).speakerBlock, start: 1 } }],
    ['the times of its block', { speakerBlock: { start: 0, chunks: [{ key: 'a', parts: [part(0, 29)] }] } }],
    ['the chunk that describes its speakers', { speakerBlock: { start: 0 } }],
    ['whether speakers are described', { speakerBlock: undefined }],
  ])('starts over if what differs is %s', async (_, changes) => {
    await world.rows(`UPDATE job_stage SET state = 'dropped'`);
    expect(await splitAgain(buildInput(1), buildInput(2, changes))).toEqual(RESTARTED);
  });
});
