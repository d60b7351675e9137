import { setTimeout as pause } from 'node:timers/promises';
import { rowsOf } from '@app/database';
import type { DataSource } from 'typeorm';
import type { QueueName } from '../queue/queues.js';
import { type ClaimedStage, claimStage } from './claim-stage.js';

const MOMENT_MS = 50;
/** A second in all: nobody holds a stage that waits for longer, and the sweep finds what is left. */
const MOMENTS = 20;

/**
 * As `claimStage`, but what somebody has locked for a moment is waited for: it may be this delivery's, which will not come
 * again before the next sweep.
 */
export async function claimNext(
  dataSource: DataSource,
  queue: QueueName,
  leaseSeconds: number,
  stop: AbortSignal,
): Promise<ClaimedStage | null> {
  for (let moment = 0; ; moment += 1) {
    const stage = await claimStage(dataSource, queue, leaseSeconds);
    if (stage || stop.aborted || moment === MOMENTS || !(await isAnyDue(dataSource, queue))) return stage;
    await pause(MOMENT_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function isAnyDue(dataSource: DataSource, queue: QueueName): Promise<boolean> {
  const due = await rowsOf(
    dataSource,
    `SELECT FROM job_stage WHERE state = 'pending' AND queue = $1 AND due_at <= now() LIMIT 1`,
    [queue],
  );
  return due.length > 0;
}
