import { CreditJobHooks } from '@app/billing';
import {
  buildUploadedAudioKey,
  combineJobHooks,
  getStageQueue,
  StageQueues,
  migrateQueueSchema,
  OutboxRelay,
  QUEUE_NAMES,
  QueueModule,
  type QueueServerOptions,
  StageRunner,
} from '@app/jobs';
import type { OutboundClient } from '@app/outbound';
import { encodeWav, type SpeechEngine } from '@app/speech';
import { WebhookJobHooks } from '@app/webhooks';
import { BullRegistrar } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { SingleUploadsService } from '../../apps/api/src/uploads/single-uploads.service.js';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { AggregationSlots } from '../../apps/processor/src/aggregation/aggregation-slots.js';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkSlots } from '../../apps/processor/src/chunk/chunk-slots.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { FetchStage } from '../../apps/processor/src/fetch/fetch.stage.js';
import { StoredJobAudioDownloader } from '../../apps/processor/src/preprocess/stored-job-audio-downloader.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { StageConsumers } from '../../apps/processor/src/queues/stage-consumers.js';
import { StageHandOverRunner } from '../../apps/processor/src/hand-over/stage-hand-over-runner.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from '../../apps/processor/src/queues/stage-processors.js';
import { SyntheticSoundBuilder } from '../../libs/speech/src/vad/testing/synthetic-sound-builder.js';
import { createJobWorld, type World } from './job-world.js';
import { NO_MODELS } from './no-models.js';
import { startRedis } from './redis.js';
import type { RoundTripRecorder } from './round-trip-recorder.js';
import { UndecodedPreprocess } from './undecoded-preprocess.js';
import { TEST_ENGINE } from './test-engine.js';
import { createThrowawayStore, type ThrowawayStore } from './throwaway-store.js';

const MAX_BYTES = 1_000_000_000;
const RELAY_INTERVAL_MS = 1_000;
/** Slots, so that no stage waits for another job. */
const MANY = 100;

const OPTIONS = {
  ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: MAX_BYTES, shutdownSeconds: 11 },
  concurrency: { fetch: 1, preprocess: 1, chunk: 2, aggregation: 1 },
  diskReserveBytes: 0,
} as ProcessorOptions;

const recordings = new Map<number, Buffer>();

/** Sections of synthetic speech of two seconds; each is a chunk of its own if there are several. */
function buildRecording(chunks: number): Buffer {
  const built = recordings.get(chunks);
  if (built) return built;
  const sound = new SyntheticSoundBuilder().silence(0.3);
  for (let chunk = 0; chunk < chunks; chunk += 1) sound.babble(2, 8_000).silence(chunks > 1 ? 3 : 0.3);
  const recording = encodeWav(sound.samples());
  recordings.set(chunks, recording);
  return recording;
}

/** Servers and files that processing worlds use one after the other. */
export interface ProcessingServers {
  world: World;
  files: ThrowawayStore;
  /** Null for the queue in Postgres. */
  redisUrl: string | null;
  close(): Promise<void>;
}

/** @param server of the queue */
export async function startProcessingServers(server: 'postgres' | 'redis'): Promise<ProcessingServers> {
  const world = await createJobWorld();
  const files = await createThrowawayStore();
  const redis = server === 'redis' ? await startRedis() : null;
  if (!redis) {
    const pool = new pg.Pool({ connectionString: world.url });
    await migrateQueueSchema(pool);
    await pool.end();
  }
  return {
    world,
    files,
    redisUrl: redis?.url ?? null,
    close: async () => {
      await files.close();
      await world.close();
      await redis?.stop();
    },
  };
}

/**
 * The modules of API and processor that take part in the life of a job, with a real queue, ffmpeg and file store; only
 * the engine responds at once.
 */
export class ProcessingWorld {
  private constructor(
    readonly world: World,
    private readonly files: ThrowawayStore,
    private readonly program: INestApplicationContext,
    private readonly relay: OutboxRelay,
    private readonly consumers: StageConsumers,
    private readonly uploads: SingleUploadsService,
    private readonly undecoded: UndecodedPreprocess,
  ) {}

  /**
   * @param maxAttempts with 1, each stage has a claim of its own
   * @param decodes false for `UndecodedPreprocess`, and enough slots that no stage waits for another job
   */
  static async start(
    { world, files, redisUrl }: ProcessingServers,
    recorder: RoundTripRecorder,
    { maxAttempts = 3, decodes = true } = {},
  ): Promise<ProcessingWorld> {
    const { dataSource } = world;
    const { store } = files;
    const hooks = combineJobHooks(new WebhookJobHooks(), new CreditJobHooks(1));
    const logger = { info: () => undefined, warn: () => undefined };
    const runner = new StageRunner({
      ...{
        dataSource,
        hooks,
        leaseSeconds: 30,
        stageTimeoutSeconds: 60,
        maxAttempts,
        maxCrashes: 10,
        retryDelaySeconds: 2,
      },
      ...{ logger, onCommitted: (messages) => relay.send(messages) },
    });
    const run = runner.run.bind(runner);
    runner.run = (queue, ...rest) => recorder.within(queue, () => run(queue, ...rest));
    const runClaimed = runner.runClaimed.bind(runner);
    runner.runClaimed = (stage, ...rest) =>
      recorder.within(getStageQueue(stage.name), () => runClaimed(stage, ...rest));
    const engine = {
      ...TEST_ENGINE,
      transcribe: async () => ({
        language: 'en',
        words: [{ text: 'word', start: 0.1, end: 0.5, confidence: null, language: null }],
      }),
    } as Partial<SpeechEngine> as SpeechEngine;
    const models = {
      ...NO_MODELS,
    };
    const source = new StoredJobAudioDownloader(store, OPTIONS);
    const chunk = new ChunkStage(store, engine, models);
    const renderer = new TranscriptFileRenderer();
    const aggregation = new AggregationStage(dataSource, store, engine, hooks, models, renderer);
    const slots = new ChunkSlots(decodes ? OPTIONS.concurrency.chunk : MANY);
    const aggregationSlots = new AggregationSlots(decodes ? OPTIONS.concurrency.aggregation : MANY);
    const report = () => undefined;
    const handOver = new StageHandOverRunner({
      runner,
      chunk,
      aggregation,
      slots,
      aggregationSlots,
      hooks,
      report,
    });
    const preprocess = new PreprocessStage(source, store, hooks, OPTIONS, models, engine, handOver);
    const undecoded = new UndecodedPreprocess(store, handOver, hooks);
    const hosts = [
      new FetchProcessor(runner, new FetchStage(store, {} as OutboundClient, OPTIONS, dataSource)),
      new PreprocessProcessor(runner, decodes ? preprocess : (undecoded as never)),
      new ChunkProcessor(runner, handOver, slots),
      new AggregationProcessor(runner, aggregation, aggregationSlots),
    ] as const;
    const program = await recorder.within('queue', () => startQueue(world.url, redisUrl, hosts));
    const relay = recorder.within(
      'relay',
      () =>
        new OutboxRelay(dataSource, program.get(StageQueues), {
          ...{ queue: undefined as never, relayIntervalMs: RELAY_INTERVAL_MS, logger },
        }),
    );
    const health = { registerRequiredCheck: () => undefined } as never;
    const consumers = new StageConsumers(program.get(BullRegistrar), OPTIONS, health, ...hosts, handOver);
    const none = undefined as never;
    const uploads = new SingleUploadsService(dataSource, hooks, store, relay, none, none, none, none, {
      ...{ deadlineSeconds: 3600, uploadBytes: MAX_BYTES },
    } as ApiOptions);
    relay.onApplicationBootstrap();
    await recorder.within('queue', () => consumers.start());
    return new ProcessingWorld(world, files, program, relay, consumers, uploads, undecoded);
  }

  /** @returns the id of a job whose audio of the given number of chunks is stored, but not yet completed */
  async upload(chunks: number): Promise<string> {
    this.undecoded.chunksPerJob = chunks;
    const id = await this.world.newJob({ enqueue: false });
    const recording = buildRecording(chunks);
    await this.files.store.put(buildUploadedAudioKey(id), recording, 'audio/wav');
    await this.world.rows('UPDATE job SET declared_size = $2 WHERE id = $1', id, recording.length);
    return id;
  }

  async complete(jobId: string): Promise<void> {
    const caller = { accountId: this.world.accountId } as never;
    await this.uploads.completeUpload(caller, jobId);
  }

  async areCompleted(jobIds: readonly string[]): Promise<boolean> {
    const sql = `SELECT FROM job WHERE id = ANY($1::uuid[]) AND status = 'completed'`;
    return (await this.world.rows(sql, jobIds)).length === jobIds.length;
  }

  /** The relay deletes rows of messages that it has sent at its next interval: this saves the wait, not the deletion. */
  async wakeRelayIfMessageLeft(): Promise<void> {
    if (await this.hasOutboxRows()) this.relay.wake();
  }

  async isMessageLeft(): Promise<boolean> {
    if (await this.hasOutboxRows()) return true;
    const queue = this.program.get(StageQueues);
    const counts = await Promise.all(QUEUE_NAMES.map((name) => queue.counts(name)));
    return counts.some(({ waiting, active }) => waiting + active > 0);
  }

  private async hasOutboxRows(): Promise<boolean> {
    return (await this.world.rows('SELECT FROM outbox LIMIT 1')).length > 0;
  }

  async close(): Promise<void> {
    await this.consumers.close();
    await this.relay.onModuleDestroy();
    await this.program.close();
  }
}

async function startQueue(
  databaseUrl: string,
  redisUrl: string | null,
  hosts: readonly object[],
): Promise<INestApplicationContext> {
  const server =
    redisUrl === null
      ? { kind: 'postgres' as const, connection: databaseUrl }
      : { kind: 'redis' as const, url: redisUrl };
  const queues = QueueModule.forRoot({
    ...server,
    logger: { warn: () => undefined },
    timings: { idlePollMs: 10_000 },
  } satisfies QueueServerOptions);
  const providers = [
    ...(queues.providers ?? []),
    ...hosts.map((host) => ({ provide: host.constructor, useValue: host })),
  ];
  return NestFactory.createApplicationContext(
    { ...queues, providers },
    { logger: false, abortOnError: false },
  );
}
