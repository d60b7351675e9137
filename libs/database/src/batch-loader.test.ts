import { describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.js';

/** `next` takes the oldest open batch; `succeed` resolves it with the keys in capitals. */
function createLoader() {
  const batches: string[][] = [];
  const open: { succeed: () => void; fail: (error: Error) => void }[] = [];
  const loader = new BatchLoader((keys: readonly string[]) => {
    batches.push([...keys]);
    return new Promise<string[]>((resolve, reject) => {
      open.push({ succeed: () => resolve(keys.map((text) => text.toUpperCase())), fail: reject });
    });
  });
  return { loader, batches, next: () => open.shift() };
}

describe('BatchLoader', () => {
  it('sends the first key at once and batches the keys that arrive before its result', async () => {
    const { loader, batches, next } = createLoader();
    const first = loader.load('a');
    const others = ['b', 'c', 'b'].map((text) => loader.load(text));
    expect(batches).toEqual([['a']]);
    next()?.succeed();
    expect(await first).toBe('A');
    expect(batches).toEqual([['a'], ['b', 'c', 'b']]);
    next()?.succeed();
    expect(await Promise.all(others)).toEqual(['B', 'C', 'B']);
  });

  it('sends a key at once when no query is running', async () => {
    const { loader, batches, next } = createLoader();
    for (const text of ['a', 'b']) {
      const result = loader.load(text);
      expect(batches.at(-1)).toEqual([text]);
      next()?.succeed();
      expect(await result).toBe(text.toUpperCase());
    }
  });

  it('rejects all keys of a failed batch and no later key', async () => {
    const { loader, next } = createLoader();
    const [first, ...others] = ['a', 'b', 'c'].map((text) => loader.load(text));
    next()?.succeed();
    await first;
    const late = loader.load('d');
    next()?.fail(new Error('lookup failed'));
    const ended = await Promise.allSettled(others);
    expect(ended).toEqual(others.map(() => ({ status: 'rejected', reason: new Error('lookup failed') })));
    next()?.succeed();
    expect(await late).toBe('D');
  });

  it('sends the next batch without waiting for a query that does not answer', async () => {
    const { loader, batches, next } = createLoader();
    const unansweredLoad = loader.load('a');
    const batched = ['b', 'c'].map((text) => loader.load(text));
    await expect.poll(() => batches).toEqual([['a'], ['b', 'c']]);
    const [slow, fast] = [next(), next()];
    fast?.succeed();
    expect(await Promise.all(batched)).toEqual(['B', 'C']);
    const later = loader.load('d');
    slow?.succeed();
    next()?.succeed();
    expect(await Promise.all([unansweredLoad, later])).toEqual(['A', 'D']);
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('rejects the load when the query fails at once, and recovers', async () => {
    let fails = true;
    const loader = new BatchLoader(async (questions: readonly number[]) => {
      if (fails) throw new Error('no pool');
      return questions;
    });
    await expect(loader.load(1)).rejects.toThrow('no pool');
    fails = false;
    expect(await loader.load(2)).toBe(2);
  });
});
