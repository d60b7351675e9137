import { expect, it } from 'vitest';
import { ChunkDispatchSchedule } from './chunk-dispatch-schedule.js';

it('a long file is handed out a few times while it is cut, the first time as soon as nobody need be idle', () => {
  const handOuts = new ChunkDispatchSchedule(2);
  const counts = Array.from({ length: 1_200 }, (_, index) => index + 1);
  expect(counts.filter((count) => handOuts.isDue(count))).toEqual([2, 8, 32, 128, 512]);
});
