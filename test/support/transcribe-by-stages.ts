import { buildChunkStageName } from '@app/jobs';
import type { AuxiliaryModels, SpeechEngine } from '@app/speech';
import type { TranscriptDocument } from '@app/transcript';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { PreprocessStage } from '../../apps/processor/src/preprocess/preprocess.stage.js';
import type { ProcessorOptions } from '../../apps/processor/src/processor-options.js';
import { createAudioSource } from './audio-source.js';
import { buildChunkWork } from './build-chunk-work.js';
import type { World } from './job-world.js';
import { memoryStore, readStoredTranscript } from './memory-store.js';
import { NO_MODELS } from './no-models.js';

type Models = Omit<AuxiliaryModels, 'close'>;

const { signal } = new AbortController();
const OPTIONS = {
  ...{ chunkSeconds: 30, chunkMaxSeconds: 60, smallFileBytes: 0 },
  concurrency: { chunk: 2 },
} as ProcessorOptions;

/** Runs samples of 16 kHz through preprocess, chunks and aggregation. */
export async function transcribeByStages(
  world: World,
  samples: Parameters<typeof createAudioSource>[0],
  engine: SpeechEngine,
  models: Models = NO_MODELS,
): Promise<TranscriptDocument> {
  const jobId = await world.newJob();
  const source = createAudioSource(samples);
  const preprocess = new PreprocessStage(source, memoryStore, world.hooks, OPTIONS, models, engine);
  await world.run(jobId, 'preprocess', signal, (...args) => preprocess.work(...args));
  const chunks = await world.rows(`SELECT FROM job_stage WHERE job_id = $1 AND queue = 'chunk'`, jobId);
  const chunkWork = buildChunkWork(world.runner(), new ChunkStage(memoryStore, engine, models));
  for (const index of chunks.keys()) await world.run(jobId, buildChunkStageName(index), signal, chunkWork);
  return aggregate(world, jobId, engine, models);
}

/** Runs the aggregation of a job whose chunks are transcribed. */
export async function aggregate(
  world: World,
  jobId: string,
  engine: SpeechEngine,
  models: Pick<Models, 'punctuator'> = NO_MODELS,
): Promise<TranscriptDocument> {
  const renderer = new TranscriptFileRenderer();
  const stage = new AggregationStage(world.dataSource, memoryStore, engine, world.hooks, models, renderer);
  await world.run(jobId, 'aggregation', signal, (claimed, stop) => stage.work(claimed, stop));
  return readStoredTranscript(world, jobId);
}
