import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { QueueName } from '../queue/queues.js';
import { type ClaimedStage, claimStage, isAnyStageDue } from './stage-claim.repository.js';

const CLAIM_RETRY_DELAY_MS = 50;
/** About a second in total: row locks are shorter, and the sweep finds what is missed. */
const MAX_CLAIM_RETRIES = 20;

/**
 * Like `claimStage`, but waits for stages that are locked for a moment. Otherwise the stage of this message would
 * wait for the next sweep.
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
