import { inTransaction } from '@app/database';
import {
  scheduleAggregationIfDone,
  buildChunkStageName,
  completeStage,
  recordProgress,
  enqueueJob,
  finalizeChunking,
  finishJob,
  QUEUE_NAMES,
  type QueueName,
  Relay,
  type StageWork,
} from '@app/jobs';
import { type Gate, createGate } from './gate.js';
import type { World } from './job-world.js';
import type { NestQueue } from './nest-queue.js';

const AT_ONCE = 2;

/** Everything between create and end but sound: each stage does what it leaves in rows, at once. */
export class NullPipeline {
  private readonly chunks = new Map<string, number>();
  private readonly relay: Relay;
  private readonly held = new Map<QueueName, Gate>();

  constructor(
    private readonly world: World,
    private readonly queue: NestQueue,
    private readonly logger: { warn(message: string, context?: object): void },
  ) {
    this.relay = new Relay(world.dataSource, queue, {
      queue: undefined as never,
      relayIntervalMs: 200,
      logger,
    });
  }

  /** A job that is cut into so many chunks. */
  async submit(of: string, chunks: number): Promise<string> {
    const id = await this.world.newJob({ of, enqueue: false });
    this.chunks.set(id, chunks);
    await inTransaction(this.world.dataSource, (tx) =>
      enqueueJob(tx, id, { deadlineSeconds: 3600, storedObject: { size: 1, etag: 'e' } }),
    );
    this.relay.wake();
    return id;
  }

  /** Lets nothing of a queue that is taken up from now on come to its end before the gate is opened. */
  hold(queue: QueueName): Gate {
    const held = createGate();
    this.held.set(queue, held);
    return held;
  }

  async start(): Promise<void> {
    this.relay.onApplicationBootstrap();
    const runner = this.world.runner({
      committed: () => this.relay.wake(),
      logger: { info: () => undefined, warn: (message, context) => this.logger.warn(message, context) },
    });
    for (const name of QUEUE_NAMES)
      await this.queue.consume(name, AT_ONCE, async (_delivered, stop) => {
        await runner.run(name, stop, async (...given) => {
          await this.held.get(name)?.opened;
          return this.works[name](...given);
        });
      });
  }

  async stop(): Promise<void> {
    for (const held of this.held.values()) held.open();
    await this.queue.close();
    await this.relay.onModuleDestroy();
  }

  private readonly works: Record<QueueName, StageWork> = {
    preprocess: async (stage) => async (tx) => {
      const { jobId } = stage;
      const count = this.chunks.get(jobId) ?? 1;
      await tx.query('UPDATE job SET duration = 1, steps_total = $2 WHERE id = $1', [jobId, count + 1]);
      await completeStage(tx, stage, null);
      const input = { key: 'k', start: 0, end: 0 };
      const cut = Array.from({ length: count }, (_, index) => ({
        name: buildChunkStageName(index),
        chunkIndex: index,
        input,
      }));
      await finalizeChunking(tx, jobId, cut);
    },
    chunk: async (stage) => async (tx) => {
      await recordProgress(tx, stage.jobId, stage.name);
      await completeStage(tx, stage, { words: [] });
      await scheduleAggregationIfDone(tx, stage.jobId);
    },
    aggregation: async (stage) => async (tx) => {
      await completeStage(tx, stage, null);
      await finishJob(tx, this.world.hooks, stage.jobId, { status: 'completed', resultKey: 'k' });
    },
  };
}
