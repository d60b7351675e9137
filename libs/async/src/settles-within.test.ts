import { describe, expect, it } from 'vitest';
import { settlesWithin } from './settles-within.js';

const createPendingPromise = () => new Promise<never>(() => {});

describe('settlesWithin', () => {
  it('returns true for a settled promise, rejected or not, and false for a pending one', async () => {
    expect(await settlesWithin(Promise.resolve(1), 1_000)).toBe(true);
    expect(await settlesWithin(Promise.reject(new Error('x')), 1_000)).toBe(true);
    expect(await settlesWithin(createPendingPromise(), 5)).toBe(false);
  });
});
