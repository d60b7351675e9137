import { settlesWithin } from '@app/async';
import { describeError } from '@app/errors';
import {
  type ChunkInput,
  type ChunkOutput,
  type ClaimedStage,
  type JobHooks,
  type QueueMessageOutcome,
  type QueueMessageReport,
  type StageCommitCallback,
  type StageHandOver,
  type StageRunner,
} from '@app/jobs';
import { Logger } from '@nestjs/common';
import type { AggregationStage } from '../aggregation/aggregation.stage.js';
import { SingleChunkTranscribedRecording } from '../aggregation/transcribed-recording.js';
import type { ChunkSlots } from '../chunk/chunk-slots.js';
import { buildChunkCommit, type ChunkStage } from '../chunk/chunk.stage.js';
import {
  createPreprocessCommitCallbackWithClaim,
  type ChunkedFile,
  type ClaimSingleChunk,
} from '../preprocess/preprocess-commits.js';
import { runInStageContext } from '../queues/in-stage-context.js';
import { QUEUE_OUTCOME_BY_STAGE_OUTCOME } from '../queues/message-outcomes.js';

/** After it was aborted, a run releases its stage within this time. */
const ABORT_GRACE_MS = 5_000;

const logger = new Logger('ShortRecordingRunner');

export interface ShortRecordingRunnerDependencies {
  runner: StageRunner;
  chunk: ChunkStage;
  aggregation: AggregationStage;
  slots: ChunkSlots;
  hooks: JobHooks;
  /** Gets a report of each run, as if a message of the queue `chunk` had led to it. */
  report: (report: QueueMessageReport) => void;
}

/**
 * Goes on with recordings of one chunk in the process that split them: it transcribes the chunk and assembles the
 * transcript under one lease, without messages in between. It needs a free slot for a chunk, and no other chunk may
 * wait. The message of preprocess has ended then, so that the next file is split meanwhile.
 */
export class ShortRecordingRunner {
  /** One for each taken slot. */
  private readonly open = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private isClosing = false;

  constructor(private readonly parts: ShortRecordingRunnerDependencies) {}

  /**
   * Completes preprocess.
   * @param countsAsStep false for small files, whose first reported step is a chunk
   * @returns null for a recording of any other number of chunks
   */
  buildHandOver(stage: ClaimedStage, file: ChunkedFile, countsAsStep: boolean): StageHandOver | null {
    if (file.chunks.length !== 1) return null;
    const { runner, hooks } = this.parts;
    let release: (() => void) | null = null;
    const claim: ClaimSingleChunk = async (...chunk) => {
      release ??= this.tryTakeSlot();
      return release && runner.addClaimedChunk(...chunk);
    };
    return {
      commit: createPreprocessCommitCallbackWithClaim(stage, file, countsAsStep, hooks, claim),
      goOn: (next) => {
        if (next && release) void this.run(next, file).finally(release);
        else release?.();
      },
    };
  }

  /** Running chunks get `graceMs`, then their stages are released. Later chunks are queued. */
  async close(graceMs: number): Promise<void> {
    this.isClosing = true;
    const idle = this.waitUntilIdle();
    if (await settlesWithin(idle, graceMs)) return;
    this.stop.abort(new Error('the consumer is closing'));
    await settlesWithin(idle, ABORT_GRACE_MS);
  }

  private async waitUntilIdle(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  private tryTakeSlot(): (() => void) | null {
    const free = this.isClosing ? null : this.parts.slots.tryTake();
    if (!free) return null;
    let settle = () => {};
    const ended = new Promise<void>((resolve) => (settle = resolve));
    this.open.add(ended);
    return () => {
      free();
      this.open.delete(ended);
      settle();
    };
  }

  private async run(next: ClaimedStage, file: ChunkedFile): Promise<void> {
    const startedAt = performance.now();
    const { runner, report } = this.parts;
    let outcome: QueueMessageOutcome = 'failed';
    try {
      const result = await runner.runClaimed(next, this.stop.signal, (stage, signal) =>
        runInStageContext(stage, () => this.work(stage, file, signal)),
      );
      outcome = QUEUE_OUTCOME_BY_STAGE_OUTCOME[result];
    } catch (error) {
      // The lease expires, and a sweep makes the stage due again.
      logger.warn(`${next.name} of ${next.jobId} was not released: ${describeError(error)}`);
    }
    report({ queue: 'chunk', waitMs: 0, runMs: performance.now() - startedAt, outcome });
  }

  private async work(
    stage: ClaimedStage,
    file: ChunkedFile,
    signal: AbortSignal,
  ): Promise<StageCommitCallback> {
    const { chunk, aggregation } = this.parts;
    const output = await chunk.transcribe(stage, signal);
    const resultKey = await this.tryAggregate(stage, file, output, signal);
    if (resultKey === null) return buildChunkCommit(stage, output);
    return aggregation.buildCommit(stage, [stage.name, 'aggregation'], resultKey);
  }

  /** @returns null if it failed: aggregation then becomes a stage, with attempts of its own */
  private async tryAggregate(
    stage: ClaimedStage,
    { duration, declaredSeconds, multichannel }: ChunkedFile,
    output: ChunkOutput,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { runner, aggregation } = this.parts;
    const { declaredSize, storedSize } = stage.job;
    const sizes = { declaredSize, storedSize, declaredSeconds, multichannel };
    const recording = new SingleChunkTranscribedRecording(duration, stage.input as ChunkInput, output, sizes);
    const store = () => aggregation.storeTranscript(stage, recording, signal);
    try {
      return await runInStageContext(stage, store, 'aggregation');
    } catch (error) {
      signal.throwIfAborted();
      runner.reportFailedAttempt({ ...stage, name: 'aggregation' }, error);
      return null;
    }
  }
}
