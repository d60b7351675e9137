import type { JobStatus } from '@app/database';

/** What can happen to a job, and where it leads. Terminal states lead nowhere. */
export const TRANSITIONS: Record<JobStatus, Partial<Record<JobTrigger, JobStatus>>> = {
  processing: {
    transcript_stored: 'completed',
    stage_failed: 'failed',
    upload_ended: 'failed',
    out_of_credit: 'failed',
    cancelled: 'failed',
    deadline_passed: 'failed',
  },
  completed: {},
  failed: {},
};

export type JobTrigger =
  'transcript_stored' | 'stage_failed' | 'upload_ended' | 'out_of_credit' | 'cancelled' | 'deadline_passed';

export function isTerminal(status: JobStatus): boolean {
  return Object.keys(TRANSITIONS[status]).length === 0;
}
