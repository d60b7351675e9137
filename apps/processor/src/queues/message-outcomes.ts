import type { QueueHandlerOutcome, StageRunOutcome } from '@app/jobs';

export const QUEUE_OUTCOME_BY_STAGE_OUTCOME: Record<StageRunOutcome, QueueHandlerOutcome> = {
  committed: 'done',
  'nothing to do': 'idle',
  stale: 'stale',
  returned: 'retried',
  failed: 'failed',
};
