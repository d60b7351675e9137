import { formatCount } from '../lib/numbers.ts';

/** Texts about a job that several pages show. */
export const jobProgressTexts = {
  queued: 'Waiting for a free processor',
  inQueue: (position: number) => `Waiting, position ${position}`,
  steps: (done: number, total: number) =>
    `Transcribing, ${done} of ${formatCount(total, 'step', 'steps')} done`,
  preparing: 'Transcribing',
  loading: 'Loading the state of the job',
  completed: 'The transcript is ready',
  failed: 'Failed',
  failedBecause: (reason: string) => `Failed: ${reason}`,
  label: 'Progress of the job',
};
