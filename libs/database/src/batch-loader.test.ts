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
  it('asks the first at once, and all that come meanwhile together after it', async () => {
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

  it('asks at once again after all were answered', async () => {
    const { together, asked, next } = oracle();
    for (const text of ['a', 'b']) {
      const answer = together.load(text);
      expect(asked.at(-1)).toEqual([text]);
      next()?.answer();
      expect(await answer).toBe(text.toUpperCase());
    }
  });

  it('fails those that were asked together, and nobody after them', async () => {
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

  it('waits for no answer that does not come', async () => {
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

  it('fails who asks where asking fails at once, and goes on', async () => {
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
