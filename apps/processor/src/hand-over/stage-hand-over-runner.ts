import { settlesWithin } from '@app/async';
import { describeError } from '@app/errors';
import {
  type ChunkInput,
  type ChunkOutput,
  type ClaimedStage,
  completeStageAndRecordStep,
  getStageQueue,
  type JobHooks,
  type QueueMessageOutcome,
  type QueueMessageReport,
  type StageCommitCallback,
  type StageCommitWithNextStages,
  type StageRunner,
} from '@app/jobs';
import { withLogFields, withSpan } from '@app/runtime';
import { Logger } from '@nestjs/common';
import type { AggregationSlots } from '../aggregation/aggregation-slots.js';
import type { AggregationStage } from '../aggregation/aggregation.stage.js';
import { SingleChunkTranscribedRecording } from '../aggregation/transcribed-recording.js';
import type { ChunkSlots } from '../chunk/chunk-slots.js';
import { createChunkCommitCallback, type ChunkStage } from '../chunk/chunk.stage.js';
import {
  type AddAndClaimFirstChunks,
  createPreprocessCommitCallbackClaimingChunks,
  type ChunkedFile,
} from '../preprocess/preprocess-commits.js';
import { QUEUE_OUTCOME_BY_STAGE_OUTCOME } from '../queues/message-outcomes.js';
import type { StageSlots } from '../queues/stage-slots.js';

/** After it was aborted, a run releases its stage within this time. */
const ABORT_GRACE_MS = 5_000;

type FollowingWork = (
  stage: ClaimedStage,
  signal: AbortSignal,
) => Promise<StageCommitCallback | StageCommitWithNextStages>;

const logger = new Logger('StageHandOverRunner');

export interface StageHandOverRunnerDependencies {
  runner: StageRunner;
  chunk: ChunkStage;
  aggregation: AggregationStage;
  slots: ChunkSlots;
  aggregationSlots: AggregationSlots;
  hooks: JobHooks;
  /** Gets a report of each run, as if a message had led to it. */
  report: (report: QueueMessageReport) => void;
}

/**
 * Goes on with recordings in the process that has done the stage before, if it has free slots and no other stage of the queue
 * waits: it transcribes the first chunks, and assembles the transcript after the last one, without messages. A recording of
 * one chunk is transcribed and assembled under one lease. The message of the stage before has ended then, so that the next
 * file is split meanwhile.
 */
export class StageHandOverRunner {
  /** Settled when the slot is released. */
  private readonly takenSlots = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private isClosing = false;

  constructor(private readonly dependencies: StageHandOverRunnerDependencies) {}

  /**
   * Completes preprocess.
   * @param countsAsStep false for small files, whose first reported step is a chunk
   * @returns null for a recording without chunks, or one that was split before: it has other rows to settle
   */
  buildHandOver(
    stage: ClaimedStage,
    file: ChunkedFile,
    countsAsStep: boolean,
  ): StageCommitWithNextStages | null {
    const { duration, chunks } = file;
    const isFirst =
      file.hasAddedChunks !== true && stage.job.duration === null && stage.job.hasChunks === false;
    if (!isFirst || chunks.length === 0) return null;
    const { runner, hooks } = this.dependencies;
    const isShortRecording = chunks.length === 1;
    const wanted = isShortRecording && !runner.mayAggregateWithChunk ? 0 : chunks.length;
    let slots: (() => void)[] | null = null;
    const add: AddAndClaimFirstChunks = (tx, ...given) => {
      slots ??= this.takeSlots(this.dependencies.slots, wanted);
      return runner.addFirstChunks(tx, ...given, { duration, maxClaimed: slots.length });
    };
    const commit = createPreprocessCommitCallbackClaimingChunks(stage, file, countsAsStep, hooks, add);
    return {
      commit: async (tx) => {
        const getClaimed = await commit(tx);
        await runner.renewFirstChunkLeasesAfterLockWait(tx, stage.jobId);
        return getClaimed;
      },
      startNextStages: (claimed) => {
        for (const [at, release] of (slots ?? []).entries()) {
          const next = claimed[at];
          if (!next) release();
          else if (isShortRecording) void this.runShortRecording(next, file, release);
          else void this.run(next, (...given) => this.workOnChunk(...given)).finally(release);
        }
      },
    };
  }

  /** Transcribes a chunk. If it is the last one of its job, this process may assemble the transcript. */
  async workOnChunk(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommitWithNextStages> {
    const { runner, chunk, aggregation, aggregationSlots } = this.dependencies;
    const output = await chunk.transcribe(stage, signal);
    let release: (() => void) | null = null;
    return {
      commit: async (tx) => {
        release ??= this.tryTakeSlot(aggregationSlots);
        await completeStageAndRecordStep(tx, stage, output);
        const getClaimed = await runner.scheduleOrClaimAggregationIfLastChunk(tx, stage, release !== null);
        return () => {
          const claimed = getClaimed();
          return claimed ? [claimed] : [];
        };
      },
      startNextStages: ([next]) => {
        if (next && release) void this.run(next, (...given) => aggregation.work(...given)).finally(release);
        else release?.();
      },
    };
  }

  /** Running stages get `graceMs`, then they are released. Later ones are queued. */
  async close(graceMs: number): Promise<void> {
    this.isClosing = true;
    const idle = this.waitUntilIdle();
    if (await settlesWithin(idle, graceMs)) return;
    this.stop.abort(new Error('the consumer is closing'));
    await settlesWithin(idle, ABORT_GRACE_MS);
  }

  private async waitUntilIdle(): Promise<void> {
    while (this.takenSlots.size > 0) await Promise.all(this.takenSlots);
  }

  private takeSlots(slots: StageSlots, max: number): (() => void)[] {
    const taken: (() => void)[] = [];
    while (taken.length < max) {
      const slot = this.tryTakeSlot(slots);
      if (!slot) break;
      taken.push(slot);
    }
    return taken;
  }

  private tryTakeSlot(slots: StageSlots): (() => void) | null {
    const free = this.isClosing ? null : slots.tryTake();
    if (!free) return null;
    let settle = () => {};
    const ended = new Promise<void>((resolve) => (settle = resolve));
    this.takenSlots.add(ended);
    return () => {
      free();
      this.takenSlots.delete(ended);
      settle();
    };
  }

  private async run(next: ClaimedStage, work: FollowingWork): Promise<void> {
    const startedAt = performance.now();
    const { runner, report } = this.dependencies;
    let outcome: QueueMessageOutcome = 'failed';
    try {
      const result = await runner.runClaimed(next, this.stop.signal, work);
      outcome = QUEUE_OUTCOME_BY_STAGE_OUTCOME[result];
    } catch (error) {
      // The lease expires, and a sweep makes the stage due again.
      logger.warn(`${next.name} of ${next.jobId} was not released: ${describeError(error)}`);
    }
    const queue = getStageQueue(next.name);
    report({ queue, waitMs: 0, runMs: performance.now() - startedAt, outcome });
  }

  /** The slot of the chunk is freed after its transcription if there is one for the assembly of the transcript. */
  private async runShortRecording(
    next: ClaimedStage,
    file: ChunkedFile,
    releaseChunkSlot: () => void,
  ): Promise<void> {
    let release = releaseChunkSlot;
    const onTranscribed = () => {
      const aggregationSlot = this.tryTakeSlot(this.dependencies.aggregationSlots);
      if (!aggregationSlot) return;
      release();
      release = aggregationSlot;
    };
    await this.run(next, (...given) => this.transcribeAndAssemble(file, onTranscribed, ...given));
    release();
  }

  private async transcribeAndAssemble(
    file: ChunkedFile,
    onTranscribed: () => void,
    stage: ClaimedStage,
    signal: AbortSignal,
  ): Promise<StageCommitCallback> {
    const { chunk, aggregation } = this.dependencies;
    const output = await chunk.transcribe(stage, signal);
    onTranscribed();
    const resultKey = await this.tryAggregate(stage, file, output, signal);
    if (resultKey === null) return createChunkCommitCallback(stage, output);
    return aggregation.buildCommit(stage, [stage.name, 'aggregation'], resultKey);
  }

  /** @returns null if it failed: aggregation then becomes a stage, with attempts of its own */
  private async tryAggregate(
    stage: ClaimedStage,
    { duration, declaredSeconds, damagedSeconds, multichannel }: ChunkedFile,
    output: ChunkOutput,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { runner, aggregation } = this.dependencies;
    const { declaredSize, storedSize } = stage.job;
    const preprocessSummary = { declaredSize, storedSize, declaredSeconds, damagedSeconds, multichannel };
    const recording = new SingleChunkTranscribedRecording(
      duration,
      stage.input as ChunkInput,
      output,
      preprocessSummary,
    );
    const store = async () => {
      try {
        return await aggregation.storeTranscript(stage, recording, signal);
      } catch (error) {
        // Within the span of aggregation, because the report fails the current span.
        if (!signal.aborted) runner.reportFailedAttempt({ ...stage, name: 'aggregation' }, error);
        throw error;
      }
    };
    const attributes = { 'zephyr.job_id': stage.jobId, 'zephyr.stage': 'aggregation' };
    try {
      return await withLogFields({ stage: 'aggregation' }, () =>
        withSpan('stage aggregation', { attributes }, store),
      );
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }
}
