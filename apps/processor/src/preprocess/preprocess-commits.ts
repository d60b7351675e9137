import {
  addOrRestartStages,
  type ChunkInput,
  type ClaimedStage,
  recordPreprocessResultAndEndStage,
  recordCompletedStep,
  scheduleChunksOrAggregation,
  type JobHooks,
  type StageCommitCallback,
  type StageCommitWithNextStages,
  UnrecoverableStageError,
  buildChunkStageName,
  type NewStage,
} from '@app/jobs';
import type { EntityManager } from 'typeorm';

export interface ChunkedFile {
  /** Seconds. */
  duration: number;
  /** Length that the file declares; null unless clearly less could be decoded. */
  declaredSeconds: number | null;
  /** Seconds that count as silence, because they could not be decoded; null if they are few. */
  damagedSeconds: number | null;
  /** Whether the channels are transcribed apart. */
  multichannel: boolean;
  chunks: ChunkInput[];
  /** Whether chunks were added while it was split. */
  hasAddedChunks?: boolean;
}

/**
 * No credits are held yet, so an account that could not pay for this much audio gets no chunks before the end of
 * chunking.
 * @param chunks of the file so far
 * @param isFinal whether a chunk is dispatched
 */
export function createEarlyChunkDispatchCommitCallback(
  stage: ClaimedStage,
  chunks: readonly ChunkInput[],
  isFinal: (chunk: ChunkInput) => boolean,
  hooks: JobHooks,
): StageCommitCallback {
  const { jobId, accountId } = stage;
  return async (tx) => {
    const seconds = Math.max(0, ...chunks.filter(isFinal).map(({ end }) => end));
    if (await hooks.canAfford(tx, { accountId, seconds }))
      await addOrRestartStages(tx, jobId, buildChunkStages(chunks, isFinal));
  };
}

/**
 * Ends the job while it is chunked: days of silence are a small file, and cost their account nothing if they fail at
 * the end. A job that was chunked before holds its credits already.
 */
export function createAffordabilityCheckCommitCallback(
  stage: ClaimedStage,
  seconds: number,
  hooks: JobHooks,
): StageCommitCallback {
  return async (tx) => {
    if (stage.job.duration !== null || (await hooks.canAfford(tx, { accountId: stage.accountId, seconds })))
      return;
    throw createCreditError();
  };
}

/**
 * Holds the credits. Without remaining chunks it enqueues aggregation.
 * @param countsAsStep false for small files, whose first reported step is a chunk
 */
export function createPreprocessCommitCallback(
  stage: ClaimedStage,
  file: ChunkedFile,
  countsAsStep: boolean,
  hooks: JobHooks,
): StageCommitCallback {
  const schedule = (tx: EntityManager) =>
    scheduleChunksOrAggregation(tx, stage.jobId, buildChunkStages(file.chunks));
  return (tx) => commitChunkedFile(tx, stage, file, countsAsStep, hooks, schedule);
}

/** Adds chunks of a job that has none. @returns called after the commit: those that this process has claimed */
export type AddAndClaimFirstChunks = (
  tx: EntityManager,
  preprocess: ClaimedStage,
  chunks: readonly NewStage[],
) => Promise<() => ClaimedStage[]>;

/** As `createPreprocessCommitCallback`, for a job that was never split. Some of its chunks may be claimed instead of queued. */
export function createPreprocessCommitCallbackClaimingChunks(
  stage: ClaimedStage,
  file: ChunkedFile,
  countsAsStep: boolean,
  hooks: JobHooks,
  addChunks: AddAndClaimFirstChunks,
): StageCommitWithNextStages['commit'] {
  const add = (tx: EntityManager) => addChunks(tx, stage, buildChunkStages(file.chunks));
  return (tx) => commitChunkedFile(tx, stage, file, countsAsStep, hooks, add);
}

/** All statements are deferred, so they are one round trip. @returns what `addChunks` returns */
async function commitChunkedFile<T>(
  tx: EntityManager,
  stage: ClaimedStage,
  { duration, declaredSeconds, damagedSeconds, multichannel, chunks }: ChunkedFile,
  countsAsStep: boolean,
  hooks: JobHooks,
  addChunks: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  const { jobId, accountId } = stage;
  const steps = chunks.length + (countsAsStep ? 2 : 1);
  const result = { duration, declaredSeconds, damagedSeconds, multichannel, chunks: chunks.length };
  await recordPreprocessResultAndEndStage(tx, stage, { duration, steps, result });
  if (countsAsStep) await recordCompletedStep(tx, jobId, stage.name);
  const added = await addChunks(tx);
  // Last, because it locks the account for all jobs of it.
  await hooks.holdCreditsOrFailCommit(tx, { id: jobId, accountId, seconds: duration }, createCreditError);
  return added;
}

function createCreditError(): UnrecoverableStageError {
  return new UnrecoverableStageError(
    'The account has not enough credit for the length of this recording.',
    'billing',
  );
}

/** Each dispatch has this many times the chunks of the previous one. */
const GROWTH_FACTOR = 4;

/**
 * Dispatches as many chunks as are processed in parallel, but never the first one alone, which may be the only one; then
 * four times as many each time. Chunking is much faster than recognition, so workers stay busy, and most chunks wait for
 * its end, where the longest go first.
 */
export class ChunkDispatchSchedule {
  private nextCount: number;

  /** @param workers chunks that are processed in parallel */
  constructor(workers: number) {
    this.nextCount = Math.max(2, workers);
  }

  /** @param count chunks so far; call it for each chunk */
  isDue(count: number): boolean {
    if (count < this.nextCount) return false;
    this.nextCount *= GROWTH_FACTOR;
    return true;
  }
}

/**
 * The longest go first, so that the last chunks are short and no core idles for long.
 * @param chunks of the file, from its first one
 * @param isIncluded all by default
 */
export function buildChunkStages(
  chunks: readonly ChunkInput[],
  isIncluded: (chunk: ChunkInput) => boolean = () => true,
): NewStage[] {
  return chunks
    .map((input, index) => ({ name: buildChunkStageName(index), chunkIndex: index, input }))
    .filter(({ input }) => isIncluded(input))
    .toSorted((a, b) => chunkDuration(b.input) - chunkDuration(a.input));
}

function chunkDuration({ start, end, packed }: ChunkInput): number {
  return packed?.seconds ?? end - start;
}
