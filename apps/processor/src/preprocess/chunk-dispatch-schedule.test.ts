import { expect, it } from 'vitest';
import { ChunkDispatchSchedule } from './chunk-dispatch-schedule.js';

it('ChunkDispatchSchedule dispatches the first chunks as soon as every worker has one, and later chunks in growing batches', () => {
  const handOuts = new ChunkDispatchSchedule(2);
  const counts = Array.from({ length: 1_200 }, (_, index) => index + 1);
  expect(counts.filter((count) => handOuts.isDue(count))).toEqual([2, 8, 32, 128, 512]);
});
