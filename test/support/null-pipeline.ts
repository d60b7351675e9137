import {
  scheduleAggregationIfChunksDone,
  buildChunkStageName,
  completeStage,
  recordCompletedStep,
  enqueueJob,
  scheduleChunksOrAggregation,
  endJob,
  QUEUE_NAMES,
  type QueueName,
  OutboxRelay,
  type StageHandler,
} from '@app/jobs';
import { type Deferred, createDeferred } from './deferred.js';
import type { World } from './job-world.js';
import type { NestQueue } from './nest-queue.js';

const CONCURRENCY = 2;

/** Runs all stages without audio: each only writes its rows. */
export class NullPipeline {
  private readonly chunks = new Map<string, number>();
  private readonly relay: OutboxRelay;
  private readonly held = new Map<QueueName, Deferred<void>>();

  constructor(
    private readonly world: World,
    private readonly queue: NestQueue,
    private readonly logger: { warn(message: string, context?: object): void },
  ) {
    this.relay = new OutboxRelay(world.dataSource, queue, {
      queue: undefined as never,
      relayIntervalMs: 200,
      logger,
    });
  }

  /** Creates a job with this many chunks. @param of the account */
  async submit(of: string, chunks: number): Promise<string> {
    const id = await this.world.newJob({ of, enqueue: false });
    this.chunks.set(id, chunks);
    await this.relay.inTransaction((tx) =>
      enqueueJob(tx, id, { deadlineSeconds: 3600, storedObject: { size: 1, etag: 'e' } }),
    );
    return id;
  }

  /** Blocks the stages of a queue that start from now on, until the result is resolved. */
  hold(queue: QueueName): Deferred<void> {
    const end = createDeferred();
    this.held.set(queue, end);
    return end;
  }

  async start(): Promise<void> {
    this.relay.onApplicationBootstrap();
    const runner = this.world.runner({
      committed: (messages) => this.relay.send(messages),
      logger: { info: () => undefined, warn: (message, context) => this.logger.warn(message, context) },
    });
    for (const name of QUEUE_NAMES)
      await this.queue.consume(name, CONCURRENCY, async (_message, stop) => {
        await runner.run(name, stop, async (...args) => {
          await this.held.get(name)?.promise;
          return this.stageWorks[name](...args);
        });
      });
  }

  async stop(): Promise<void> {
    for (const end of this.held.values()) end.resolve();
    await this.queue.close();
    await this.relay.onModuleDestroy();
  }

  private readonly stageWorks: Record<QueueName, StageHandler> = {
    fetch: async (stage) => async (tx) => completeStage(tx, stage, null),
    preprocess: async (stage) => async (tx) => {
      const { jobId } = stage;
      const count = this.chunks.get(jobId) ?? 1;
      await tx.query('UPDATE job SET duration = 1, steps_total = $2 WHERE id = $1', [jobId, count + 1]);
      await completeStage(tx, stage, null);
      const input = { key: 'k', start: 0, end: 0 };
      const stages = Array.from({ length: count }, (_, index) => ({
        name: buildChunkStageName(index),
        chunkIndex: index,
        input,
      }));
      await scheduleChunksOrAggregation(tx, jobId, stages);
    },
    chunk: async (stage) => async (tx) => {
      await recordCompletedStep(tx, stage.jobId, stage.name);
      await completeStage(tx, stage, { words: [] });
      await scheduleAggregationIfChunksDone(tx, stage.jobId);
    },
    aggregation: async (stage) => async (tx) => {
      await completeStage(tx, stage, null);
      await endJob(tx, this.world.hooks, stage.jobId, { status: 'completed', resultKey: 'k' });
    },
  };
}
