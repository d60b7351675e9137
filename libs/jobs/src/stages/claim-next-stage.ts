import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { QueueName } from '../queue/queues.js';
import { type ClaimedStage, claimNextStage, isAnyStageDue } from './stage-claim.repository.js';

const CLAIM_RETRY_DELAY_MS = 50;
/** About a second in total, longer than a row lock; a sweep finds the rest. */
const MAX_CLAIM_RETRIES = 20;

/** Retries while stages are locked, instead of leaving them to the next sweep. */
export async function claimNextStageWithRetries(
  dataSource: DataSource,
  queue: QueueName,
  leaseSeconds: number,
  stop: AbortSignal,
): Promise<ClaimedStage | null> {
  for (let retries = 0; ; retries += 1) {
    const stage = await claimNextStage(dataSource, queue, leaseSeconds);
    if (stage || stop.aborted || retries === MAX_CLAIM_RETRIES || !(await isAnyStageDue(dataSource, queue)))
      return stage;
    await pause(CLAIM_RETRY_DELAY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
