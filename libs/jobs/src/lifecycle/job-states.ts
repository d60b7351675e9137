import type { JobStatus } from '@app/database';

/** Where each state leads. Terminal states lead nowhere; `finishJob` is the only way out of the others. */
export const TRANSITIONS: Record<JobStatus, readonly JobStatus[]> = {
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

const STATUSES = Object.keys(TRANSITIONS) as JobStatus[];

export function isTerminalStatus(status: JobStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

/** The states from which a job may go to this one. */
export function findStatusesBefore(status: JobStatus): JobStatus[] {
  return STATUSES.filter((from) => TRANSITIONS[from].includes(status));
}
