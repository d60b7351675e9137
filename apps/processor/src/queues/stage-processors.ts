import {
  type BullJob,
  type QueueHandlerOutcome,
  type QueueName,
  ReturnMessageToQueueError,
  StageRunner,
  type StageHandler,
} from '@app/jobs';
import { Processor, WorkerHost } from '@nestjs/bullmq';
import { AggregationSlots } from '../aggregation/aggregation-slots.js';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkSlots } from '../chunk/chunk-slots.js';
import { FetchStage } from '../fetch/fetch.stage.js';
import { PreprocessStage } from '../preprocess/preprocess.stage.js';
import { StageHandOverRunner } from '../hand-over/stage-hand-over-runner.js';
import { StageSlots } from './stage-slots.js';
import { QUEUE_OUTCOME_BY_STAGE_OUTCOME } from './message-outcomes.js';

/** A message is only a wake-up: the runner claims the stage that is next, so that accounts get fair shares. */
abstract class StageProcessor extends WorkerHost {
  protected abstract readonly stage: { work: StageHandler };

  constructor(protected readonly runner: StageRunner) {
    super();
  }

  async process(
    { queueName }: BullJob,
    _token?: string,
    shutdown?: AbortSignal,
  ): Promise<QueueHandlerOutcome> {
    const result = await this.runner.run(queueName as QueueName, shutdown as AbortSignal, (...given) =>
      this.stage.work(...given),
    );
    return QUEUE_OUTCOME_BY_STAGE_OUTCOME[result];
  }
}

/**
 * Claims until nothing is left: the message of a stage may have found its account at the limit of concurrent
 * fetches, and no other message follows when one of them ends.
 */
@Processor('fetch')
export class FetchProcessor extends StageProcessor {
  private isClosing = false;

  constructor(
    runner: StageRunner,
    protected readonly stage: FetchStage,
  ) {
    super(runner);
  }

  /** Fetches that are running may end; a handler then returns its message, for a processor that goes on. */
  stopClaiming(): void {
    this.isClosing = true;
  }

  override async process(
    message: BullJob,
    token?: string,
    shutdown?: AbortSignal,
  ): Promise<QueueHandlerOutcome> {
    let last = await super.process(message, token, shutdown);
    for (let next = last; next !== 'idle'; next = await super.process(message, token, shutdown)) {
      last = next;
      if (shutdown?.aborted === true) break;
      if (this.isClosing) throw new ReturnMessageToQueueError(Promise.resolve());
    }
    return last;
  }
}

@Processor('preprocess')
export class PreprocessProcessor extends StageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: PreprocessStage,
  ) {
    super(runner);
  }
}

/** Claims nothing before it has a slot: stages that follow others in the same process take some without a message. */
abstract class SlotStageProcessor extends StageProcessor {
  protected abstract readonly slots: StageSlots;

  override async process(
    message: BullJob,
    token?: string,
    shutdown?: AbortSignal,
  ): Promise<QueueHandlerOutcome> {
    const release =
      this.slots.tryTake() ??
      (await this.runner.waitBeforeClaim((stop) => this.slots.take(stop), shutdown as AbortSignal));
    try {
      return await super.process(message, token, shutdown);
    } finally {
      release();
    }
  }
}

@Processor('chunk')
export class ChunkProcessor extends SlotStageProcessor {
  protected readonly stage: { work: StageHandler };

  constructor(
    runner: StageRunner,
    stages: StageHandOverRunner,
    protected readonly slots: ChunkSlots,
  ) {
    super(runner);
    this.stage = { work: (stage, signal) => stages.workOnChunk(stage, signal) };
  }
}

@Processor('aggregation')
export class AggregationProcessor extends SlotStageProcessor {
  constructor(
    runner: StageRunner,
    protected readonly stage: AggregationStage,
    protected readonly slots: AggregationSlots,
  ) {
    super(runner);
  }
}
