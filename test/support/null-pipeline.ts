import {
  scheduleAggregationIfChunksDone,
  buildChunkStageName,
  completeStage,
  recordCompletedStep,
  enqueueJob,
  scheduleChunksOrAggregation,
  finishJob,
  QUEUE_NAMES,
  type QueueName,
  OutboxRelay,
  type StageWork,
} from '@app/jobs';
import { type Gate, createGate } from './gate.js';
import type { World } from './job-world.js';
import type { NestQueue } from './nest-queue.js';

const CONCURRENCY = 2;

/** Runs all stages without audio: each only writes its rows. */
export class NullPipeline {
  private readonly chunks = new Map<string, number>();
  private readonly relay: OutboxRelay;
  private readonly gates = new Map<QueueName, Gate>();

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

  /** Blocks the stages of a queue that start from now on, until the gate is opened. */
  hold(queue: QueueName): Gate {
    const gate = createGate();
    this.gates.set(queue, gate);
    return gate;
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
          await this.gates.get(name)?.opened;
          return this.stageWorks[name](...args);
        });
      });
  }

  async stop(): Promise<void> {
    for (const gate of this.gates.values()) gate.open();
    await this.queue.close();
    await this.relay.onModuleDestroy();
  }

  private readonly stageWorks: Record<QueueName, StageWork> = {
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
      await finishJob(tx, this.world.hooks, stage.jobId, { status: 'completed', resultKey: 'k' });
    },
  };
}
