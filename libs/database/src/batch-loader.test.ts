import { describe, expect, it } from 'vitest';
import { BatchLoader } from './batch-loader.js';

/** Answers when it is told to, with each question in capitals. */
function oracle() {
  const asked: string[][] = [];
  const open: { answer: () => void; fail: (error: Error) => void }[] = [];
  const together = new BatchLoader((questions: readonly string[]) => {
    asked.push([...questions]);
    return new Promise<string[]>((resolve, reject) => {
      open.push({ answer: () => resolve(questions.map((text) => text.toUpperCase())), fail: reject });
    });
  });
  return { together, asked, next: () => open.shift() };
}

describe('BatchLoader', () => {
  it('sends the first key at once and batches the keys that arrive before its result', async () => {
    const { together, asked, next } = oracle();
    const first = together.load('a');
    const others = ['b', 'c', 'b'].map((text) => together.load(text));
    expect(asked).toEqual([['a']]);
    next()?.answer();
    expect(await first).toBe('A');
    expect(asked).toEqual([['a'], ['b', 'c', 'b']]);
    next()?.answer();
    expect(await Promise.all(others)).toEqual(['B', 'C', 'B']);
  });

  it('sends a key at once when no query is running', async () => {
    const { together, asked, next } = oracle();
    for (const text of ['a', 'b']) {
      const answer = together.load(text);
      expect(asked.at(-1)).toEqual([text]);
      next()?.answer();
      expect(await answer).toBe(text.toUpperCase());
    }
  });

  it('rejects all keys of a failed batch and no later key', async () => {
    const { together, next } = oracle();
    const [first, ...others] = ['a', 'b', 'c'].map((text) => together.load(text));
    next()?.answer();
    await first;
    const late = together.load('d');
    next()?.fail(new Error('away'));
    const ended = await Promise.allSettled(others);
    expect(ended).toEqual(others.map(() => ({ status: 'rejected', reason: new Error('away') })));
    next()?.answer();
    expect(await late).toBe('D');
  });

  it('sends the next batch without waiting for a query that does not answer', async () => {
    const { together, asked, next } = oracle();
    const silent = together.load('a');
    const answers = ['b', 'c'].map((text) => together.load(text));
    await expect.poll(() => asked).toEqual([['a'], ['b', 'c']]);
    const [unanswered, answered] = [next(), next()];
    answered?.answer();
    expect(await Promise.all(answers)).toEqual(['B', 'C']);
    const later = together.load('d');
    unanswered?.answer();
    next()?.answer();
    expect(await Promise.all([silent, later])).toEqual(['A', 'D']);
    expect(asked).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('rejects the load when the query fails at once, and recovers', async () => {
    let fails = true;
    const together = new BatchLoader(async (questions: readonly number[]) => {
      if (fails) throw new Error('no pool');
      return questions;
    });
    await expect(together.load(1)).rejects.toThrow('no pool');
    fails = false;
    expect(await together.load(2)).toBe(2);
  });
});
