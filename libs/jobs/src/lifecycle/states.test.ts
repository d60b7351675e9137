import type { JobStatus } from '@app/database';
import { describe, expect, it } from 'vitest';
import { isTerminal, TRANSITIONS } from './states.js';

const STATUSES = Object.keys(TRANSITIONS) as JobStatus[];

describe('job states', () => {
  it('are all reached from processing', () => {
    const reached = new Set<JobStatus>(['processing']);
    for (const status of reached) for (const next of Object.values(TRANSITIONS[status])) reached.add(next);
    expect([...reached].toSorted()).toEqual([...STATUSES].toSorted());
  });

  it('end in exactly completed and failed', () => {
    expect(STATUSES.filter(isTerminal)).toEqual(['completed', 'failed']);
  });
});
