import type { StageAttemptFailureKind } from './attempt-failures.js';
import { chooseCrashDelaySeconds } from '../stages/crash-delay.js';
import { type ClaimedStage, countAttemptsWithoutCrashes } from '../stages/stage-claim.repository.js';
import { DependencyCrashedError, DependencyUnavailableError, RetryableStageError } from './stage-errors.js';

/** For the database and the object store. */
const DEPENDENCY_RETRY_SECONDS = 3;
/** Factor on the retry delay for other dependencies: an outage can be long, and many stages may wait. */
const DEPENDENCY_BACKOFF_FACTOR = 5;

/**
 * @param retryDelaySeconds of the runner
 * @returns the delay before the next attempt
 */
export function getRetryDelaySeconds(
  error: unknown,
  kind: StageAttemptFailureKind,
  stage: Pick<ClaimedStage, 'attempts' | 'crashes'>,
  retryDelaySeconds: number,
): number {
  if (error instanceof DependencyUnavailableError) {
    const delaySeconds = error.delaySeconds ?? retryDelaySeconds * DEPENDENCY_BACKOFF_FACTOR;
    const isCrash = error instanceof DependencyCrashedError;
    return isCrash ? delaySeconds + chooseCrashDelaySeconds(stage.crashes) : delaySeconds;
  }
  if (kind === 'dependency') return DEPENDENCY_RETRY_SECONDS;
  const attempts = countAttemptsWithoutCrashes(stage);
  const ownDelaySeconds =
    error instanceof RetryableStageError ? error.computeDelaySeconds?.(attempts) : undefined;
  return ownDelaySeconds ?? retryDelaySeconds * attempts;
}
