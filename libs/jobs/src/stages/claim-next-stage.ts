import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { QueueName } from '../queue/queues.js';
import { type ClaimedStage, claimStage, isAnyStageDue } from './stage-claim.repository.js';

const CLAIM_RETRY_DELAY_MS = 50;
/** A second in all: nobody holds a stage that waits for longer, and the sweep finds what is left. */
const MAX_CLAIM_RETRIES = 20;

/**
 * As `claimStage`, but what somebody has locked for a moment is waited for: it may be this delivery's, which will not come
 * again before the next sweep.
 */
export async function claimNextStage(
  dataSource: DataSource,
  queue: QueueName,
  leaseSeconds: number,
  stop: AbortSignal,
): Promise<ClaimedStage | null> {
  for (let retries = 0; ; retries += 1) {
    const stage = await claimStage(dataSource, queue, leaseSeconds);
    if (stage || stop.aborted || retries === MAX_CLAIM_RETRIES || !(await isAnyStageDue(dataSource, queue)))
      return stage;
    await pause(CLAIM_RETRY_DELAY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
