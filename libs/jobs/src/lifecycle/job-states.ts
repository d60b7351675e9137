import type { JobStatus } from '@app/database';

/** The transitions of each status. Terminal ones have none; `finishJob` is the only way out of the others. */
export const TRANSITIONS: Record<JobStatus, readonly JobStatus[]> = {
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

const STATUSES = Object.keys(TRANSITIONS) as JobStatus[];

export function isTerminalStatus(status: JobStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/** The statuses from which a job may change to this one. */
export function findStatusesBefore(status: JobStatus): JobStatus[] {
  return STATUSES.filter((from) => TRANSITIONS[from].includes(status));
}
