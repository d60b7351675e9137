/** Another try may help; when there is none left the job fails with this sentence for the caller. */
export class StageTrouble extends Error {
  override readonly name = 'StageTrouble';
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}

/** What the stage needs is away, whatever the file is: it is given back uncounted, until its job runs out of time. */
export class StageWaits extends Error {
  override readonly name = 'StageWaits';

  /** @param cause for the log */
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** What an earlier stage left in the store for this one is gone: the job begins again with its audio, a few times at most. */
export class StageInputMissing extends Error {
  override readonly name = 'StageInputMissing';

  /** @param cause for the log */
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** The stage cannot succeed however often it is tried: the job fails with this sentence for the caller. */
export class StageFailure extends Error {
  override readonly name = 'StageFailure';
  constructor(
    readonly reason: string,
    /** Where it failed, when that is not the stage's own name (`billing`). */
    readonly failedStage?: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}
