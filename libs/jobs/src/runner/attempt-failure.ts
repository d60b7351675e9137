import { isDatabaseAway } from '@app/database';
import { StoreUnavailable } from '@app/storage';
import type { QueueName } from '../queue/queues.js';
import type { ClaimedStage } from '../stages/claim-stage.js';
import { stageQueue } from '../stages/stage-names.js';
import { StageFailure, StageInputMissing, StageWaits } from './stage-failure.js';

/**
 * Why an attempt at a stage failed. `dependency`: something it needs is away, tried again uncounted. `retryable`: counted,
 * and tried again while attempts are left. `input_missing`: what an earlier stage stored is gone, the job starts over.
 * `unrecoverable`: no attempt can succeed, the job fails.
 */
export const ATTEMPT_FAILURE_KINDS = ['dependency', 'retryable', 'input_missing', 'unrecoverable'] as const;
export type FailureKind = (typeof ATTEMPT_FAILURE_KINDS)[number];

/** Told of every attempt that failed. */
export type AttemptFailed = (queue: QueueName, kind: FailureKind, error: unknown) => void;

export interface AttemptLogger {
  info(message: string, context: object): void;
  warn(message: string, context: object): void;
}

/** Milliseconds for which the same failure is not explained again. */
const EXPLAINED_FOR_MS = 60_000;
const MOST_EXPLAINED = 100;

export function failureKind(error: unknown): FailureKind {
  if (error instanceof StageFailure) return 'unrecoverable';
  if (isDatabaseAway(error) || error instanceof StoreUnavailable || error instanceof StageWaits)
    return 'dependency';
  return error instanceof StageInputMissing ? 'input_missing' : 'retryable';
}

/** What every log line about a stage has. */
export function stageLogFields({ jobId, accountId, name, attempts, job }: ClaimedStage): object {
  return {
    job_id: jobId,
    account_id: accountId,
    stage: name,
    attempt: attempts,
    ...(job.requestId !== null && { request_id: job.requestId }),
  };
}

/**
 * Logs and counts attempts that failed. The first of a kind is a warning with its cause; while the same goes on, as with
 * a store that is away and a hundred stages that need it, the others are a short line each.
 */
export class AttemptFailures {
  private readonly explained = new Map<string, number>();

  constructor(
    private readonly logger: AttemptLogger,
    private readonly onFailure: AttemptFailed = () => undefined,
  ) {}

  failed(stage: ClaimedStage, error: unknown): void {
    const kind = failureKind(error);
    this.onFailure(stageQueue(stage.name), kind, error);
    const fields = { ...stageLogFields(stage), kind };
    const reason = error instanceof Error ? error.message : String(error);
    if (kind === 'unrecoverable') this.logger.info('stage failed', { ...fields, error });
    else if (kind === 'dependency' && this.isExplained(reason))
      this.logger.info('stage attempt failed', { ...fields, reason });
    else this.logger.warn('stage attempt failed', { ...fields, error });
  }

  private isExplained(reason: string): boolean {
    const now = performance.now();
    if (now - (this.explained.get(reason) ?? -Infinity) < EXPLAINED_FOR_MS) return true;
    if (this.explained.size >= MOST_EXPLAINED) this.explained.clear();
    this.explained.set(reason, now);
    return false;
  }
}
