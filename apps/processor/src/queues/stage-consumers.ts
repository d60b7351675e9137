import { QueueConsumer } from '@app/jobs';
import { DependencyHealthRegistry } from '@app/runtime';
import { BullRegistrar } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageHandOverRunner } from '../hand-over/stage-hand-over-runner.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from './stage-processors.js';

/** The program is ready only while it consumes. */
@Injectable()
export class StageConsumers {
  private consumers: QueueConsumer[] = [];

  constructor(
    private readonly registrar: BullRegistrar,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: ProcessorOptions,
    health: DependencyHealthRegistry,
    private readonly fetch: FetchProcessor,
    private readonly preprocess: PreprocessProcessor,
    private readonly chunk: ChunkProcessor,
    private readonly aggregation: AggregationProcessor,
    private readonly handOver: StageHandOverRunner,
  ) {
    health.registerRequiredCheck('consumers', async () => {
      if (!this.isConsuming) throw new Error('not consuming');
    });
  }

  /** False while the connection of a queue is lost. */
  get isConsuming(): boolean {
    return this.consumers.length > 0 && this.consumers.every(({ isConsuming }) => isConsuming);
  }

  /** Succeeds if the server is unavailable: the consumers then start when it responds. */
  async start(): Promise<void> {
    const { concurrency } = this.options;
    this.registrar.register();
    this.consumers = [
      new QueueConsumer(this.fetch, concurrency.fetch),
      new QueueConsumer(this.preprocess, concurrency.preprocess),
      new QueueConsumer(this.chunk, concurrency.chunk),
      new QueueConsumer(this.aggregation, concurrency.aggregation),
    ];
    await Promise.all(this.consumers.map((consumer) => consumer.checkHeartbeat()));
  }

  /** Running stages get most of the shutdown time; then they are released. */
  async close(): Promise<void> {
    const graceMs = Math.max(1, this.options.shutdownSeconds - 10) * 1000;
    this.fetch.stopClaiming();
    const runners = [...this.consumers, this.handOver];
    await Promise.all(runners.map((runner) => runner.close(graceMs)));
  }
}
