import { describe, expect, it } from 'vitest';
import { findSubjectProblem } from './commit-subject.mjs';

describe('findSubjectProblem', () => {
  it.each([
    'feat(api): show the API reference with Scalar',
    'fix: close the pool',
    'refactor(jobs)!: rename the claim',
    'Merge branch main',
    'Revert "feat: x"',
    'fixup! feat: x y',
  ])('accepts “%s”', (subject) => {
    expect(findSubjectProblem(subject)).toBeUndefined();
  });

  it.each(['Fix the pool', 'feature: x y', 'feat:no space', 'feat: ends with a stop.', 'feat(): x y', ''])(
    'rejects “%s”',
    (subject) => {
      expect(findSubjectProblem(subject)).toContain('type(scope)');
    },
  );

  it('rejects a subject that is too long', () => {
    expect(findSubjectProblem(`feat: ${'x'.repeat(95)}`)).toBe('101 characters; the limit is 100');
  });
});
