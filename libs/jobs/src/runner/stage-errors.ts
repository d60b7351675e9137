/** A retry may succeed. After the last attempt, the job fails with this message for the caller. */
export class RetryableStageError extends Error {
  override readonly name = 'RetryableStageError';
  constructor(
    readonly reason: string,
    cause?: unknown,
    /** Delay before the next attempt, instead of that of the runner, from the number of attempts without crashes. */
    readonly computeDelaySeconds?: (attempts: number) => number,
  ) {
    super(reason, { cause });
  }
}

/** The stage ran into its time limit. A retry may succeed; after the last attempt, the job fails as too slow. */
export class StageTimeoutError extends Error {
  override readonly name = 'StageTimeoutError';
}

/** The stage is released without a counted attempt, until the deadline of its job. */
export class DependencyUnavailableError extends Error {
  override readonly name: string = 'DependencyUnavailableError';

  /** @param cause for the log */
  constructor(
    cause: Error,
    /** Before the next attempt, instead of the delay of the runner. */
    readonly delaySeconds?: number,
  ) {
    super(cause.message, { cause });
  }
}

/** A dependency went down while it worked on the stage, which may be the reason: counts as a crash. */
export class DependencyCrashedError extends DependencyUnavailableError {
  override readonly name = 'DependencyCrashedError';
}

/** The output of an earlier stage is missing: the job restarts from its audio, a limited number of times. */
export class StageInputMissingError extends Error {
  override readonly name = 'StageInputMissingError';

  /** @param cause for the log */
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** No attempt can succeed: the job fails with this message for the caller. */
export class UnrecoverableStageError extends Error {
  override readonly name = 'UnrecoverableStageError';
  constructor(
    readonly reason: string,
    /** Replaces the name of the stage in the outcome (`billing`). */
    readonly failedStage?: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
