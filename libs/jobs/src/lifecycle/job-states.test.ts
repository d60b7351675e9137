import type { JobStatus } from '@app/database';
import { describe, expect, it } from 'vitest';
import { isTerminalStatus, findStatusesBefore, TRANSITIONS } from './job-states.js';

const STATUSES = Object.keys(TRANSITIONS) as JobStatus[];

describe('job states', () => {
  it('are all reached from processing', () => {
    const reached = new Set<JobStatus>(['processing']);
    for (const status of reached) for (const next of TRANSITIONS[status]) reached.add(next);
    expect([...reached].toSorted()).toEqual([...STATUSES].toSorted());
  });

  it('end in exactly completed and failed, which nothing leads out of', () => {
    expect(STATUSES.filter(isTerminalStatus)).toEqual(['completed', 'failed']);
    for (const status of STATUSES) expect(findStatusesBefore(status).some(isTerminalStatus)).toBe(false);
  });

  it('are ended from processing alone', () => {
    expect(STATUSES.map(findStatusesBefore)).toEqual([[], ['processing'], ['processing']]);
  });
});
