import type { JobStatus } from '@app/database';

/** Only `endJob` ends a job. */
export const JOB_STATUS_TRANSITIONS: Record<JobStatus, readonly JobStatus[]> = {
  processing: ['completed', 'failed'],
  completed: [],
  failed: [],
};

const STATUSES = Object.keys(JOB_STATUS_TRANSITIONS) as JobStatus[];

export function isEndStatus(status: JobStatus): boolean {
  return JOB_STATUS_TRANSITIONS[status].length === 0;
}

export function listStatusesLeadingTo(status: JobStatus): JobStatus[] {
  return STATUSES.filter((from) => JOB_STATUS_TRANSITIONS[from].includes(status));
}
