import { describe, expect, it } from 'vitest';
import { batchesOf } from './batches.mjs';
import { ringOf, titlesOf, troublesOf, withoutIt } from './protection.mjs';

const FILE = 'scripts/protections/protection.mjs';
const entry = {
  what: 'a protection',
  file: FILE,
  by: 'nothing is found',
  from: 'if (from === to)',
  to: 'if (false)',
  test: 'scripts/protections/protections.test.mjs',
  name: 'has no trouble where its text and its test are',
};

describe('an entry', () => {
  it('has no trouble where its text and its test are', async () => {
    expect(await troublesOf(entry)).toEqual([]);
  });

  it.each([
    ['text that is gone', { from: 'if (from === too)' }, 'is 0 times'],
    ['text that stands there twice', { from: 'join(ROOT, ' }, 'times in'],
    ['a file that is gone', { file: 'scripts/none.mjs' }, 'no file'],
    ['a test that is gone', { name: `has none ${'at all'}` }, 'has no test'],
    ['nothing to take out', { to: entry.from }, 'nothing is taken out'],
  ])('with %s is in trouble', async (_, change, trouble) => {
    const troubles = await troublesOf({ ...entry, ...change });
    expect(troubles).toEqual([expect.stringContaining(trouble)]);
  });

  it('is taken out as it stands, whatever signs are in it', () => {
    expect(withoutIt({ ...entry, from: 'a.c', to: `$&$'` }, 'abc a.c')).toBe(`abc $&$'`);
  });

  it('finds the titles of a test, placeholders filled in, and no others', () => {
    const title = (name) => new RegExp(`^${titlesOf({ ...entry, name })}`);
    expect('refuses (1) at a').toMatch(title('refuses (%i) at $place'));
    expect('refuses (1) at a').not.toMatch(title('refuses (%i)'));
  });

  it('is taken out together with others that share neither its file nor its test', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((file) => ({ ...entry, file, test: `${file}.test.ts` }));
    const sameFile = { ...two, file: 'a' };
    const sameTest = { ...three, test: 'a.test.ts' };
    const otherRing = { ...two, test: 'test/e2e/a.test.ts' };
    expect(batchesOf([one, sameFile, sameTest, two, otherRing, three])).toEqual([
      [one, two, three],
      [sameFile, sameTest],
      [otherRing],
    ]);
  });

  it.each([
    ['libs/a/src/b.test.ts', 'unit'],
    ['test/support/md-eval.test.ts', 'unit'],
    ['test/e2e/spec/a.test.ts', 'e2e'],
  ])('runs %s in the ring %s', (test, ring) => {
    expect(ringOf({ ...entry, test })).toBe(ring);
  });
});
