/**
 * A processor without decoding and recognition: it consumes the queues and writes the same rows and objects, but every
 * recording becomes one second of silence for each chunk, and the engine responds at once. There is one chunk, or as many as
 * the last message of its parent says: `{ chunks: number }`.
 */
import 'reflect-metadata';
import { BullRegistrar } from '@nestjs/bullmq';
import { NestFactory } from '@nestjs/core';
import { AggregationSlots } from '../../dist/apps/processor/src/aggregation/aggregation-slots.js';
import { AggregationStage } from '../../dist/apps/processor/src/aggregation/aggregation.stage.js';
import { TranscriptFileRenderer } from '../../dist/apps/processor/src/aggregation/transcript-file-renderer.js';
import { ChunkSlots } from '../../dist/apps/processor/src/chunk/chunk-slots.js';
import { ChunkStage } from '../../dist/apps/processor/src/chunk/chunk.stage.js';
import { createPreprocessCommitCallback } from '../../dist/apps/processor/src/preprocess/preprocess-commits.js';
import { StageConsumers } from '../../dist/apps/processor/src/queues/stage-consumers.js';
import {
  AggregationProcessor,
  ChunkProcessor,
  FetchProcessor,
  PreprocessProcessor,
} from '../../dist/apps/processor/src/queues/stage-processors.js';
import { StageHandOverRunner } from '../../dist/apps/processor/src/hand-over/stage-hand-over-runner.js';
import { CreditJobHooks } from '../../dist/libs/billing/src/index.js';
import { createDataSource } from '../../dist/libs/database/src/index.js';
import {
  buildChunkKey,
  combineJobHooks,
  StageQueues,
  QueueModule,
  OutboxRelay,
  StageRunner,
} from '../../dist/libs/jobs/src/index.js';
import {
  buildQueueAndOutboxModuleOptions,
  buildStorageOptions,
  createBootContextAndMigrate,
} from '../../dist/libs/runtime/src/index.js';
import { encodeWav } from '../../dist/libs/speech/src/wav/wav.js';
import { createObjectStore } from '../../dist/libs/storage/src/index.js';
import { WebhookJobHooks } from '../../dist/libs/webhooks/src/index.js';

const SILENT_SECOND = encodeWav(new Float32Array(16_000));
const WORDS = ['nobody', 'says', 'a', 'word'].map((text, index) => ({
  ...{ text, start: index / 4, end: (index + 0.8) / 4 },
  ...{ confidence: null, language: null },
}));

const context = await createBootContextAndMigrate('processor');
const { pipeline, database, billing } = context.config;
const CONCURRENCY = { fetch: 1, preprocess: pipeline.preprocessConcurrency, chunk: 2, aggregation: 2 };
const dataSource = createDataSource({
  url: context.databaseUrl,
  poolSize: database.poolSize,
  applicationName: 'zephyr-bench',
});
await dataSource.initialize();
const store = await createObjectStore(buildStorageOptions(context));
const jobs = buildQueueAndOutboxModuleOptions(context);
const hooks = combineJobHooks(new WebhookJobHooks(), new CreditJobHooks(billing.creditsPerSecond));
const runner = new StageRunner({
  ...{ dataSource, hooks, logger: jobs.logger, onCommitted: (messages) => relay.send(messages) },
  ...{ leaseSeconds: pipeline.leaseSeconds, stageTimeoutSeconds: pipeline.stageTimeoutSeconds },
  ...{ maxAttempts: pipeline.maxAttempts, retryDelaySeconds: 2 },
});
const engine = {
  capabilities: { languages: ['en'], wordTimes: true, punctuation: false, vocabulary: false },
  identity: async () => ({ name: 'none', model: null, version: null }),
  transcribe: async () => ({ words: WORDS, language: 'en' }),
};
const auxiliaryModels = { speakerFeatureExtractor: null, languageIdentifier: null, punctuator: null };
let chunksPerJob = 1;
const preprocess = {
  work: async (stage) => {
    const chunks = Array.from({ length: chunksPerJob }, (_, index) => ({
      key: buildChunkKey(stage.jobId, stage.fence, { chunking: 1, index }),
      ...{ start: index, end: index + 1, speech: [{ start: index, end: index + 1 }] },
    }));
    for (const { key } of chunks) await store.put(key, SILENT_SECOND, 'audio/wav', { isDurable: false });
    const file = { duration: chunks.length, declaredSeconds: null, multichannel: false, chunks };
    return (
      handOver.buildHandOver(stage, file, false) ?? createPreprocessCommitCallback(stage, file, false, hooks)
    );
  },
};
const chunk = new ChunkStage(store, engine, auxiliaryModels);
const renderer = new TranscriptFileRenderer();
const aggregation = new AggregationStage(dataSource, store, engine, hooks, auxiliaryModels, renderer);
const slots = new ChunkSlots(CONCURRENCY.chunk);
const aggregationSlots = new AggregationSlots(CONCURRENCY.aggregation);
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
const hosts = [
  // No job of the benchmark has an address.
  new FetchProcessor(runner, { work: () => Promise.reject(new Error('unexpected')) }),
  new PreprocessProcessor(runner, preprocess),
  new ChunkProcessor(runner, handOver, slots),
  new AggregationProcessor(runner, aggregation, aggregationSlots),
];
const queues = QueueModule.forRoot(jobs.queue);
const providers = [
  ...queues.providers,
  ...hosts.map((host) => ({ provide: host.constructor, useValue: host })),
];
const program = await NestFactory.createApplicationContext({ ...queues, providers }, { logger: false });
const relay = new OutboxRelay(dataSource, program.get(StageQueues), jobs);
const consumers = new StageConsumers(
  program.get(BullRegistrar),
  { concurrency: CONCURRENCY, shutdownSeconds: 11 },
  { registerRequiredCheck: () => undefined },
  ...hosts,
  handOver,
);
relay.onApplicationBootstrap();
await consumers.start();
process.on('message', ({ chunks }) => {
  chunksPerJob = chunks;
  process.send({ chunks });
});
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => void shutDown());
process.send({ ready: true });

async function shutDown() {
  await consumers.close();
  await relay.onModuleDestroy();
  await program.close();
  await dataSource.destroy();
  await context.release();
  process.exit();
}
