import type { EntityManager } from 'typeorm';
import type { ClaimedStage } from '../stages/stage-claim.repository.js';

/** Runs in one transaction under the fence of the stage. */
export type StageCommitCallback = (tx: EntityManager) => Promise<void>;

/** A commit that can leave next stages to this process, instead of sending messages for them. */
export interface StageCommitWithNextStages {
  /**
   * As a `StageCommitCallback`.
   * @returns called after the commit: the next stages that it has claimed (`StageRunner.addFirstChunks`)
   */
  commit(tx: EntityManager): Promise<() => ClaimedStage[]>;
  /** Called once, after the commit. Must not throw. @param next empty if none was claimed, or nothing was committed */
  startNextStages(next: ClaimedStage[]): void;
}

/**
 * Commits a partial result in its own transaction under the fence. It persists if the work fails, and is
 * committed again when the work is repeated.
 * @throws LeaseLostError if another worker has the stage or its job has ended; nothing is written then
 */
export type CommitPartialResult = (part: StageCommitCallback) => Promise<void>;

/** Idempotent work outside of transactions. It may run more than once, but only one commit counts. */
export type StageHandler = (
  stage: ClaimedStage,
  signal: AbortSignal,
  commitPartialResult: CommitPartialResult,
) => Promise<StageCommitCallback | StageCommitWithNextStages>;
