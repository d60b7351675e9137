import type { JobStatus } from '@app/database';
import { describe, expect, it } from 'vitest';
import { isEndStatus, listStatusesLeadingTo, JOB_STATUS_TRANSITIONS } from './job-states.js';

const STATUSES = Object.keys(JOB_STATUS_TRANSITIONS) as JobStatus[];

describe('the job state machine', () => {
  it('every status can be reached from processing', () => {
    const reached = new Set<JobStatus>(['processing']);
    for (const status of reached) for (const next of JOB_STATUS_TRANSITIONS[status]) reached.add(next);
    expect([...reached].toSorted()).toEqual([...STATUSES].toSorted());
  });

  it('exactly completed and failed are terminal, and no transition leaves them', () => {
    expect(STATUSES.filter(isEndStatus)).toEqual(['completed', 'failed']);
    for (const status of STATUSES) expect(listStatusesLeadingTo(status).some(isEndStatus)).toBe(false);
  });

  it('completed and failed are reached only from processing', () => {
    expect(STATUSES.map(listStatusesLeadingTo)).toEqual([[], ['processing'], ['processing']]);
  });
});
