/** Another try may help; when there is none left the job fails with this sentence for the caller. */
export class RetryableStageError extends Error {
  override readonly name = 'RetryableStageError';
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}

/** What the stage needs is away, whatever the file is: it is given back uncounted, until its job runs out of time. */
export class DependencyUnavailableError extends Error {
  override readonly name = 'DependencyUnavailableError';

  /** @param cause for the log */
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** What an earlier stage left in the store for this one is gone: the job begins again with its audio, a few times at most. */
export class StageInputMissingError extends Error {
  override readonly name = 'StageInputMissingError';

  /** @param cause for the log */
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** The stage cannot succeed however often it is tried: the job fails with this sentence for the caller. */
export class UnrecoverableStageError extends Error {
  override readonly name = 'UnrecoverableStageError';
  constructor(
    readonly reason: string,
    /** Where it failed, when that is not the stage's own name (`billing`). */
    readonly failedStage?: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
