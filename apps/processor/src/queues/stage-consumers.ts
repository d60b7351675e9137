import {
  chunkStage,
  type Consumer,
  JOB_QUEUE,
  type JobQueue,
  QUEUE_NAMES,
  type QueueName,
  type QueuePayloads,
  type StageRunner,
} from '@app/jobs';
import { DependencyHealth } from '@app/runtime';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AggregationStage } from '../aggregation/aggregation.stage.js';
import { ChunkStage } from '../chunk/chunk.stage.js';
import { PreprocessStage } from '../preprocess/preprocess.stage.js';
import { PROCESSOR_OPTIONS, type ProcessorOptions } from '../processor-options.js';
import { STAGE_RUNNER } from './stage-runner.provider.js';

type Handlers = { [N in QueueName]: (payload: QueuePayloads[N], signal: AbortSignal) => Promise<unknown> };

/** Binds every queue to its stage: the table has exactly one handler a queue, or it does not compile. */
@Injectable()
export class StageConsumers implements OnApplicationBootstrap, OnModuleDestroy {
  private consumers: Consumer[] = [];
  private readonly handlers: Handlers;

  constructor(
    @Inject(JOB_QUEUE) private readonly queue: JobQueue,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(DependencyHealth) private readonly health: DependencyHealth,
    @Inject(STAGE_RUNNER) runner: StageRunner,
    @Inject(PreprocessStage) preprocess: PreprocessStage,
    @Inject(ChunkStage) chunk: ChunkStage,
    @Inject(AggregationStage) aggregation: AggregationStage,
  ) {
    this.handlers = {
      preprocess: ({ jobId }, stop) =>
        runner.run(jobId, 'preprocess', stop, (stage, signal) => preprocess.work(stage, signal)),
      chunk: ({ jobId, index }, stop) =>
        runner.run(jobId, chunkStage(index), stop, (stage, signal) => chunk.work(stage, signal)),
      aggregation: ({ jobId }, stop) =>
        runner.run(jobId, 'aggregation', stop, (stage) => aggregation.work(stage)),
    };
  }

  /** False when a queue has lost its connection and not found it again. */
  get consuming(): boolean {
    return this.consumers.length === QUEUE_NAMES.length && this.consumers.every(({ consuming }) => consuming);
  }

  async onApplicationBootstrap(): Promise<void> {
    this.health.watch('consumers', async () => {
      if (!this.consuming) throw new Error('not consuming');
    });
    this.consumers = await Promise.all(QUEUE_NAMES.map((name) => this.consume(name)));
  }

  /** Before the connections go: running stages get most of the time there is, then they are given back. */
  async onModuleDestroy(): Promise<void> {
    const graceMs = Math.max(1, this.options.shutdownSeconds - 10) * 1000;
    await Promise.all(this.consumers.map((consumer) => consumer.close(graceMs)));
  }

  private consume<N extends QueueName>(name: N): Promise<Consumer> {
    const handler: Handlers[N] = this.handlers[name];
    return this.queue.consume(name, this.options.concurrency[name], async (payload, signal) => {
      await handler(payload, signal);
    });
  }
}
