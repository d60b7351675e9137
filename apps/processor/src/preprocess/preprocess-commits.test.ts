import { expect, it, describe } from 'vitest';
import { ChunkDispatchSchedule, buildChunkStages } from './preprocess-commits.js';

it('ChunkDispatchSchedule dispatches the first chunks as soon as every worker has one, and later chunks in growing batches', () => {
  const schedule = new ChunkDispatchSchedule(2);
  const counts = Array.from({ length: 1_200 }, (_, index) => index + 1);
  expect(counts.filter((count) => schedule.isDue(count))).toEqual([2, 8, 32, 128, 512]);
});

const chunk = (start: number, end: number) => ({ key: `chunk at ${start}`, start, end });

describe('buildChunkStages', () => {
  it('keeps the index of every chunk and puts the longest chunk first', () => {
    const [short, long, middling] = [chunk(0, 20), chunk(20.5, 58), chunk(58, 90)];
    expect(buildChunkStages([short, long, middling])).toEqual([
      { name: 'chunk:1', chunkIndex: 1, input: long },
      { name: 'chunk:2', chunkIndex: 2, input: middling },
      { name: 'chunk:0', chunkIndex: 0, input: short },
    ]);
  });

  it('keeps the index of a chunk after one that is left out', () => {
    const [first, second, third] = [chunk(0, 30), chunk(30, 50), chunk(50, 60)];
    const stages = buildChunkStages([first, second, third], (each) => each !== second);
    expect(stages.map(({ chunkIndex, input }) => [chunkIndex, input])).toEqual([
      [0, first],
      [2, third],
    ]);
  });

  it('keeps chunks of equal length in the order of the file', () => {
    const order = buildChunkStages([chunk(0, 30), chunk(30, 60), chunk(60, 90)]).map((stage) => stage.name);
    expect(order).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
  });
});
