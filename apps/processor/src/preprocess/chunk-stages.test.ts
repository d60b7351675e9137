import { describe, expect, it } from 'vitest';
import { buildChunkStages } from './chunk-stages.js';

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

  it('keeps chunks of equal length in the order of the file', () => {
    const order = buildChunkStages([chunk(0, 30), chunk(30, 60), chunk(60, 90)]).map((stage) => stage.name);
    expect(order).toEqual(['chunk:0', 'chunk:1', 'chunk:2']);
  });
});
