import { describe, expect, it } from 'vitest';
import { decideChunkConcurrency, estimateModelMemoryBytes } from './chunk-concurrency.js';

const GIBIBYTE = 2 ** 30;
const machine = (cores: number, gibibytes: number, isMemoryLimited = false) => ({
  cores,
  memoryBytes: gibibytes * GIBIBYTE,
  isMemoryLimited,
});

describe('decideChunkConcurrency', () => {
  it.each([
    { cores: 4, memory: 8, copy: 0, requested: undefined, count: 4, exceedsMemory: false },
    { cores: 4, memory: 8, copy: 1, requested: undefined, count: 4, exceedsMemory: false },
    { cores: 16, memory: 16, copy: 1, requested: undefined, count: 12, exceedsMemory: false },
    { cores: 16, memory: 4, copy: 1, requested: undefined, count: 3, exceedsMemory: false },
    // Half a gibibyte is left to other programs in any case.
    { cores: 4, memory: 1, copy: 0.25, requested: undefined, count: 2, exceedsMemory: false },
    { cores: 4, memory: 1, copy: 1, requested: undefined, count: 1, exceedsMemory: true },
    { cores: 4, memory: 4, copy: 1, requested: 8, count: 8, exceedsMemory: true },
    { cores: 4, memory: 4, copy: 1, requested: 2, count: 2, exceedsMemory: false },
    { cores: 1, memory: 0.25, copy: 0, requested: undefined, count: 1, exceedsMemory: false },
  ])(
    '$cores cores, $memory GiB, copies of $copy GiB, CHUNK_CONCURRENCY $requested: $count',
    ({ cores, memory, copy, requested, count, exceedsMemory }) => {
      expect(decideChunkConcurrency(machine(cores, memory), copy * GIBIBYTE, requested)).toMatchObject({
        count,
        exceedsMemory,
      });
    },
  );

  it('says why', () => {
    expect(decideChunkConcurrency(machine(4, 8), 1e9, undefined, 2)).toMatchObject({
      count: 2,
      reason: expect.stringMatching(/^one for each of 2 devices; 6\.4 GB of/),
    });
    expect(decideChunkConcurrency(machine(4, 1), 2e9, undefined, 1)).toMatchObject({
      count: 1,
      exceedsMemory: true,
    });
    expect(decideChunkConcurrency(machine(4, 8), 1e9, 3, 2).count).toBe(3);
    expect(decideChunkConcurrency(machine(4, 8), 0).reason).toBe('one for each of 4 cores');
    expect(decideChunkConcurrency(machine(16, 4, true), 1e9).reason).toBe(
      '3.2 GB of 4.3 GB of memory (control group), 1.0 GB for each copy of the model; 16 cores',
    );
    expect(decideChunkConcurrency(machine(2, 4), 1e9, 9).reason).toMatch(/^CHUNK_CONCURRENCY; 3\.2 GB of/);
  });
});

it('estimateModelMemoryBytes prefers the measured memory', () => {
  expect(estimateModelMemoryBytes(100)).toBe(150);
  expect(estimateModelMemoryBytes(100, 400)).toBe(400);
});
