import { buildChunkKey, type QueueMessageReport, type StageRunner, type StageHandler } from '@app/jobs';
import { type ChunkTranscription, encodeWav, type SpeechEngine } from '@app/speech';
import type { ObjectStore } from '@app/storage';
import { TranscriptFileRenderer } from '../../apps/processor/src/aggregation/transcript-file-renderer.js';
import { AggregationSlots } from '../../apps/processor/src/aggregation/aggregation-slots.js';
import { AggregationStage } from '../../apps/processor/src/aggregation/aggregation.stage.js';
import { ChunkSlots } from '../../apps/processor/src/chunk/chunk-slots.js';
import { ChunkStage } from '../../apps/processor/src/chunk/chunk.stage.js';
import { createPreprocessCommitCallback } from '../../apps/processor/src/preprocess/preprocess-commits.js';
import { StageHandOverRunner } from '../../apps/processor/src/hand-over/stage-hand-over-runner.js';
import { buildChunkWork } from './build-chunk-work.js';
import type { World } from './job-world.js';
import { NO_MODELS } from './no-models.js';
import { TEST_ENGINE } from './test-engine.js';

/** Of the recording that preprocess finds, whatever the audio. */
export const SHORT_RECORDING_SECONDS = 2.5;

const WAV = encodeWav(new Int16Array(16_000 * SHORT_RECORDING_SECONDS));

export const SHORT_TRANSCRIPTION: ChunkTranscription = {
  language: 'en',
  words: [
    { text: 'good', start: 0.2, end: 0.5, confidence: 0.9, language: null },
    { text: 'morning', start: 0.6, end: 1.1, confidence: 0.8, language: null },
  ],
};

export interface ShortRecordingOptions {
  world: World;
  store: ObjectStore;
  runner: StageRunner;
  transcribe?: SpeechEngine['transcribe'];
  slots?: number;
  aggregationSlots?: number;
  /** Whether preprocess is reported as a step. */
  countsAsStep?: boolean;
  /** That preprocess finds; one by default. */
  chunks?: number;
}

/** The stages of a processor for recordings of one chunk, without decoder and recogniser. */
export class ShortRecordingStages {
  readonly slots: ChunkSlots;
  readonly aggregationSlots: AggregationSlots;
  readonly handOver: StageHandOverRunner;
  readonly chunk: ChunkStage;
  readonly aggregation: AggregationStage;
  readonly reports: QueueMessageReport[] = [];

  constructor(private readonly options: ShortRecordingOptions) {
    const { world, store, runner, transcribe = async () => SHORT_TRANSCRIPTION, slots = 1 } = options;
    const { dataSource, hooks } = world;
    const engine = { ...TEST_ENGINE, transcribe } as Partial<SpeechEngine> as SpeechEngine;
    const renderer = new TranscriptFileRenderer();
    this.slots = new ChunkSlots(slots);
    this.aggregationSlots = new AggregationSlots(options.aggregationSlots ?? 1);
    this.chunk = new ChunkStage(store, engine, NO_MODELS);
    this.aggregation = new AggregationStage(dataSource, store, engine, hooks, NO_MODELS, renderer);
    const { chunk, aggregation, aggregationSlots } = this;
    const report = (each: QueueMessageReport) => void this.reports.push(each);
    this.handOver = new StageHandOverRunner({
      ...{ runner, chunk, aggregation, slots: this.slots, aggregationSlots, hooks, report },
    });
  }

  readonly preprocess: StageHandler = async (stage) => {
    const { store, countsAsStep = false, chunks: number = 1 } = this.options;
    const chunks = Array.from({ length: number }, (_, index) => {
      const key = buildChunkKey(stage.jobId, stage.fence, { chunking: 1, index });
      const [start, end] = [index * SHORT_RECORDING_SECONDS, (index + 1) * SHORT_RECORDING_SECONDS];
      return { key, start, end, speech: [{ start, end }], speechDetector: 'level' as const };
    });
    for (const { key } of chunks) await store.put(key, WAV, 'audio/wav', { isDurable: false });
    const duration = number * SHORT_RECORDING_SECONDS;
    const file = { duration, declaredSeconds: null, damagedSeconds: null, multichannel: false, chunks };
    return (
      this.handOver.buildHandOver(stage, file, countsAsStep) ??
      createPreprocessCommitCallback(stage, file, countsAsStep, this.options.world.hooks)
    );
  };

  /** Without a slot for aggregation. */
  readonly transcribe: StageHandler = (stage, signal) =>
    buildChunkWork(this.options.runner, this.chunk)(stage, signal);

  /** As the consumer of chunks does. */
  readonly transcribeAndGoOn: StageHandler = (stage, signal) => this.handOver.workOnChunk(stage, signal);

  readonly aggregate: StageHandler = (stage, signal) => this.aggregation.work(stage, signal);

  /** Resolves when no recording is in work. */
  async waitUntilIdle(): Promise<void> {
    await this.handOver.close(60_000);
  }
}
