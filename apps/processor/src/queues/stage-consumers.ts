import {
  type Consumer,
  JOB_QUEUE,
  type JobQueue,
  QUEUE_NAMES,
  type QueueName,
  type HandlerOutcome,
  stageLogFields,
  type StageResult,
  type StageRunner,
  type StageWork,
} from '@app/jobs';
import { DependencyHealth, withLogFields } from '@app/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { PreprocessStage } from '../preprocess/preprocess.stage.js';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { STAGE_RUNNER } from './stage-runner.provider.js';

/** What a stage's result means for the delivery that led to it. */
const MESSAGE_OUTCOMES: Record<StageResult, HandlerOutcome> = {
  committed: 'done',
  'nothing to do': 'idle',
  stale: 'stale',
  returned: 'retried',
  failed: 'failed',
};

/**
 * Binds every queue to the work of its stage; the type requires exactly one per queue.
 * A queue message is only a wake-up: rows decide which stage runs, so that scheduling stays fair between accounts.
 */
@Injectable()
export class StageConsumers {
  private consumers: Consumer[] = [];
  private readonly stageWork: Record<QueueName, StageWork>;

  constructor(
    @Inject(JOB_QUEUE) private readonly queue: JobQueue,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    health: DependencyHealth,
    @Inject(STAGE_RUNNER) private readonly runner: StageRunner,
    preprocess: PreprocessStage,
    chunk: ChunkStage,
    aggregation: AggregationStage,
  ) {
    this.stageWork = {
      preprocess: (...given) => preprocess.work(...given),
      chunk: (stage, signal) => chunk.work(stage, signal),
      aggregation: (stage, signal) => aggregation.work(stage, signal),
    };
    health.require('consumers', async () => {
      if (!this.isConsuming) throw new Error('not consuming');
    });
  }

  /** False when a queue has lost its connection and not found it again. */
  get isConsuming(): boolean {
    return (
      this.consumers.length === QUEUE_NAMES.length &&
      this.consumers.every(({ isConsuming: consuming }) => consuming)
    );
  }

  async start(): Promise<void> {
    this.consumers = await Promise.all(QUEUE_NAMES.map((name) => this.consume(name)));
  }

  /** Running stages get most of the time there is, then they are given back. */
  async close(): Promise<void> {
    const graceMs = Math.max(1, this.options.shutdownSeconds - 10) * 1000;
    await Promise.all(this.consumers.map((consumer) => consumer.close(graceMs)));
  }

  private consume(name: QueueName): Promise<Consumer> {
    return this.queue.consume(name, this.options.concurrency[name], async (_delivered, stop) => {
      const result = await this.runner.run(name, stop, (stage, ...given) =>
        withLogFields({ ...stageLogFields(stage) }, () => this.stageWork[name](stage, ...given)),
      );
      return MESSAGE_OUTCOMES[result];
    });
  }
}
