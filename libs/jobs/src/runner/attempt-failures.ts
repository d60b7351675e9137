import { describeError } from '@app/errors';
import { isDatabaseUnavailableError } from '@app/database';
import { StoreUnavailableError } from '@app/storage';
import type { QueueName } from '../queue/queues.js';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';
import { getStageQueue } from '../stages/stage-names.js';
import {
  UnrecoverableStageError,
  StageInputMissingError,
  DependencyUnavailableError,
} from './stage-errors.js';

/**
 * `dependency`: a dependency is unavailable; retried without a counted attempt. `retryable`: retried while
 * attempts are left. `input_missing`: the output of an earlier stage is missing; the job restarts.
 * `unrecoverable`: no attempt can succeed; the job fails.
 */
export const STAGE_ATTEMPT_FAILURE_KINDS = [
  'dependency',
  'retryable',
  'input_missing',
  'unrecoverable',
] as const;
export type StageAttemptFailureKind = (typeof STAGE_ATTEMPT_FAILURE_KINDS)[number];

export type OnStageAttemptFailed = (queue: QueueName, kind: StageAttemptFailureKind, error: unknown) => void;

export interface StageFailureLogger {
  info(message: string, context: object): void;
  warn(message: string, context: object): void;
}

/** Before the same failure is logged in full again. */
const FULL_LOG_INTERVAL_MS = 60_000;
const MAX_TRACKED_REASONS = 100;

export function classifyStageFailure(error: unknown): StageAttemptFailureKind {
  if (error instanceof UnrecoverableStageError) return 'unrecoverable';
  if (
    isDatabaseUnavailableError(error) ||
    error instanceof StoreUnavailableError ||
    error instanceof DependencyUnavailableError
  )
    return 'dependency';
  return error instanceof StageInputMissingError ? 'input_missing' : 'retryable';
}

/** For every log line about a stage. */
export function buildStageLogFields({
  jobId,
  accountId,
  name,
  attempts,
  job,
}: ClaimedStage): Record<string, unknown> {
  return {
    job_id: jobId,
    account_id: accountId,
    stage: name,
    attempt: attempts,
    ...(job.requestId !== null && { request_id: job.requestId }),
  };
}

/**
 * Logs the first failure of its kind as a warning with its cause. While the failure lasts, such as an
 * unavailable store, the others are short lines.
 */
export class StageAttemptFailureReporter {
  private readonly lastLoggedAt = new Map<string, number>();

  constructor(
    private readonly logger: StageFailureLogger,
    private readonly onFailure: OnStageAttemptFailed = () => undefined,
  ) {}

  report(stage: ClaimedStage, error: unknown): StageAttemptFailureKind {
    const kind = classifyStageFailure(error);
    this.onFailure(getStageQueue(stage.name), kind, error);
    const fields = { ...buildStageLogFields(stage), kind };
    const reason = describeError(error);
    if (kind === 'unrecoverable') this.logger.info('stage failed', { ...fields, error });
    else if (kind === 'dependency' && this.wasLoggedRecently(reason))
      this.logger.info('stage attempt failed', { ...fields, reason });
    else this.logger.warn('stage attempt failed', { ...fields, error });
    return kind;
  }

  private wasLoggedRecently(reason: string): boolean {
    const now = performance.now();
    if (now - (this.lastLoggedAt.get(reason) ?? -Infinity) < FULL_LOG_INTERVAL_MS) return true;
    if (this.lastLoggedAt.size >= MAX_TRACKED_REASONS) this.lastLoggedAt.clear();
    this.lastLoggedAt.set(reason, now);
    return false;
  }
}
