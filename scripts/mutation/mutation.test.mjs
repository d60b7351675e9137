import { describe, expect, it } from 'vitest';
import { groupIntoBatches } from './batches.mjs';
import { applyMutation, findMutationProblems, getTestProject, buildTitlePattern } from './mutation.mjs';

const FILE = 'scripts/mutation/mutation.mjs';
const entry = {
  protects: 'a condition',
  file: FILE,
  change: 'nothing is found',
  from: 'if (from === to)',
  to: 'if (false)',
  test: 'scripts/mutation/mutation.test.mjs',
  name: 'a mutation whose text and test exist has no problems',
};

describe('mutation tests', () => {
  it('a mutation whose text and test exist has no problems', async () => {
    expect(await findMutationProblems(entry)).toEqual([]);
  });

  it.each([
    ['text that is missing', { from: 'if (from === too)' }, 'occurs 0 times'],
    ['text that is not unique', { from: 'join(ROOT, ' }, 'times in'],
    ['a file that does not exist', { file: 'scripts/none.mjs' }, 'no file'],
    ['a test that does not exist', { name: `a missing ${'test'}` }, 'has no test'],
    ['a replacement that changes nothing', { to: entry.from }, 'changes nothing'],
  ])('a mutation with %s is reported', async (_, change, problem) => {
    const problems = await findMutationProblems({ ...entry, ...change });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it('a mutation replaces its text literally, special characters of patterns included', () => {
    expect(applyMutation({ ...entry, from: 'a.c', to: `$&$'` }, 'abc a.c')).toBe(`abc $&$'`);
  });

  it('the title pattern matches a name with its placeholders filled in, and no other name', () => {
    const title = (name) => new RegExp(`^${buildTitlePattern({ ...entry, name })}`);
    expect('rejects (1) at a').toMatch(title('rejects (%i) at $path'));
    expect('rejects (1) at a').not.toMatch(title('rejects (%i)'));
  });

  it('mutations of one batch share a suite, but neither a file nor a test', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((file) => ({ ...entry, file, test: `${file}.test.ts` }));
    const sameFile = { ...two, file: 'a' };
    const sameTest = { ...three, test: 'a.test.ts' };
    const otherSuite = { ...two, test: 'test/e2e/a.test.ts' };
    expect(groupIntoBatches([one, sameFile, sameTest, two, otherSuite, three])).toEqual([
      [one, two, three],
      [sameFile, sameTest],
      [otherSuite],
    ]);
  });

  it.each([
    ['libs/a/src/b.test.ts', 'unit'],
    ['test/support/md-eval.test.ts', 'unit'],
    ['test/e2e/spec/a.test.ts', 'e2e'],
  ])('the test file %s belongs to the suite %s', (test, suite) => {
    expect(getTestProject({ ...entry, test })).toBe(suite);
  });
});
