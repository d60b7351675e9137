import type { QueueHandlerOutcome, StageRunOutcome } from '@app/jobs';

export const MESSAGE_OUTCOMES: Record<StageRunOutcome, QueueHandlerOutcome> = {
  committed: 'done',
  'nothing to do': 'idle',
  stale: 'stale',
  returned: 'retried',
  failed: 'failed',
};
