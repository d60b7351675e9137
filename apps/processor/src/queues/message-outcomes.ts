import type { QueueHandlerOutcome, StageRunOutcome } from '@app/jobs';

export const QUEUE_OUTCOME_BY_STAGE_OUTCOME: Record<StageRunOutcome, QueueHandlerOutcome> = {
  committed: 'done',
  idle: 'idle',
  stale: 'stale',
  released: 'retried',
  failed: 'failed',
};
