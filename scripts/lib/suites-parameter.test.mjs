import { describe, expect, it } from 'vitest';
import { takeSuites } from './suites-parameter.mjs';

describe('takeSuites', () => {
  it.each(['--suites', '--rings'])('removes %s and its value from the parameters', (name) => {
    const parameters = ['-t', 'a name', name, 'unit,e2e', 'libs/jobs'];
    expect(takeSuites(parameters)).toEqual(['unit', 'e2e']);
    expect(parameters).toEqual(['-t', 'a name', 'libs/jobs']);
  });

  it('leaves other parameters as they are', () => {
    const parameters = ['libs/jobs'];
    expect(takeSuites(parameters)).toBeUndefined();
    expect(parameters).toEqual(['libs/jobs']);
  });
});
