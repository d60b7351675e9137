import type { StageAttemptFailureKind } from './attempt-failures.js';
import { DependencyUnavailableError, RetryableStageError } from './stage-errors.js';

/** For the database and the object store. */
const DEPENDENCY_RETRY_SECONDS = 3;
/** Factor on the retry delay for other dependencies: an outage can be long, and many stages may wait. */
const DEPENDENCY_BACKOFF_FACTOR = 5;

/**
 * @param attempts of the stage without crashes, including the one that failed
 * @param retryDelaySeconds of the runner
 * @returns the delay before the next attempt
 */
export function getRetryDelaySeconds(
  error: unknown,
  kind: StageAttemptFailureKind,
  attempts: number,
  retryDelaySeconds: number,
): number {
  if (error instanceof DependencyUnavailableError)
    return error.delaySeconds ?? retryDelaySeconds * DEPENDENCY_BACKOFF_FACTOR;
  if (kind === 'dependency') return DEPENDENCY_RETRY_SECONDS;
  const ownDelaySeconds =
    error instanceof RetryableStageError ? error.computeDelaySeconds?.(attempts) : undefined;
  return ownDelaySeconds ?? retryDelaySeconds * attempts;
}
