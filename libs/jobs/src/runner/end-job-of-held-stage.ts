import { describeError } from '@app/errors';
import type { EntityManager } from 'typeorm';
import { endJob } from '../lifecycle/end-job.js';
import type { JobHooks } from '../lifecycle/job-hooks.js';
import { buildServiceFailureOutcome, type JobOutcome } from '../lifecycle/job-outcome.js';
import { recordStageError } from '../stages/job-stage.repository.js';
import { tryRestartFromEarlierStage } from '../stages/restart-from-earlier-stage.js';
import { type ClaimedStage, lockHeldStage } from '../stages/stage-claim.repository.js';
import type { StageRunOutcome } from './stage-runner-options.js';

interface JobFailure {
  outcome: JobOutcome;
  /** For operators, who see more than the reason of the outcome; undefined if no attempt has failed. */
  error?: unknown;
}

/** Only the holder of the stage may end the job, not a worker that resumes late. @returns false if it is not the holder */
export async function failJobOfHeldStage(
  tx: EntityManager,
  hooks: JobHooks,
  stage: ClaimedStage,
  { outcome, error }: JobFailure,
): Promise<boolean> {
  if (!(await lockHeldStage(tx, stage))) return false;
  if (error !== undefined) await recordStageError(tx, stage, describeError(error));
  return endJob(tx, hooks, stage.jobId, outcome);
}

/** The job fails if its earlier stages were repeated too often. */
export async function restartOrFailJobOfHeldStage(
  tx: EntityManager,
  hooks: JobHooks,
  stage: ClaimedStage,
  maxAttempts: number,
): Promise<StageRunOutcome> {
  if (!(await lockHeldStage(tx, stage))) return 'stale';
  if (await tryRestartFromEarlierStage(tx, stage, maxAttempts)) return 'released';
  await endJob(tx, hooks, stage.jobId, buildServiceFailureOutcome(stage.name, 'losing'));
  return 'failed';
}
