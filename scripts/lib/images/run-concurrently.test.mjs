import { describe, expect, it } from 'vitest';
import { runConcurrently } from './run-concurrently.mjs';

describe('runConcurrently', () => {
  it('starts all steps before it waits', async () => {
    const started = [];
    const steps = ['a', 'b'].map((name) => async () => {
      started.push(name);
      await expect.poll(() => started).toEqual(['a', 'b']);
    });
    await runConcurrently(steps);
  });

  it('throws the error of a step after the others have ended', async () => {
    const ended = [];
    const steps = [
      () => Promise.reject(new Error('no space left')),
      async () => {
        await Promise.resolve();
        ended.push('other');
      },
    ];
    await expect(runConcurrently(steps)).rejects.toThrow('no space left');
    expect(ended).toEqual(['other']);
  });
});
