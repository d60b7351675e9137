import { Readable } from 'node:stream';
import {
  type ChunkOutput,
  streamChunkResults,
  readChunkSpeakerFeatures,
  type ClaimedStage,
  buildDocumentKey,
  finishJob,
  JOB_HOOKS,
  type JobHooks,
  type JobOptions,
  LeaseLostError,
  readAudioSizes,
  buildRenderingKey,
  type StageCommit,
} from '@app/jobs';
import type { AuxiliaryModels, SpeechEngine } from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import {
  assembleTimelines,
  ChannelTimelines,
  getExporter,
  renderJsonChunks,
  type TranscriptDocument,
} from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AUXILIARY_MODELS, SPEECH_ENGINE } from '../processor-options.js';
import { collectGarbage } from '../garbage-collection.js';
import { buildEngineWarnings, buildFileWarnings, buildVocabularyWarnings } from './transcript-warnings.js';
import { setPunctuationMarks } from './set-punctuation-marks.js';
import { describeChunkEngine } from '../describe-chunk-engine.js';
import { findMainEngine } from './find-main-engine.js';
import { diarizeChunks } from './diarize-chunks.js';
import { TranscriptFileRenderer } from './transcript-file-renderer.js';

/** Shorter recordings do not fill the heap. */
const LONG_RECORDING_SECONDS = 3_600;

@Injectable()
export class AggregationStage {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(JOB_HOOKS) private readonly hooks: JobHooks,
    @Inject(AUXILIARY_MODELS) private readonly auxiliaryModels: Pick<AuxiliaryModels, 'punctuator'>,
    private readonly files: TranscriptFileRenderer,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommit> {
    const resultKey = await this.storeTranscript(stage, await this.assemble(stage, signal), signal);
    return async (tx) => {
      const outcome = { status: 'completed', resultKey } as const;
      if (!(await finishJob(tx, this.hooks, stage.jobId, outcome, stage)))
        throw new LeaseLostError(`job ${stage.jobId} has ended`);
    };
  }

  private async assemble({ jobId, job }: ClaimedStage, signal: AbortSignal): Promise<TranscriptDocument> {
    // Before the words are read, so that voices and words of ten hours are not in memory at the same time.
    const { turns, warnings } = await this.diarize(jobId, job.options, signal);
    if ((job.duration ?? 0) > LONG_RECORDING_SECONDS) collectGarbage();
    const { timelines, reports } = await this.loadTimeline(jobId, job.duration ?? 0, signal);
    const main = findMainEngine(reports, await describeChunkEngine(this.engine));
    const { punctuation, vocabulary, ...identity } = main.engine;
    const { punctuator } = this.auxiliaryModels;
    const punctuationWarnings = await setPunctuationMarks(
      timelines,
      punctuator,
      job.options,
      { punctuation },
      signal,
    );
    const input = {
      jobId,
      createdAt: job.createdAt.toISOString(),
      model: job.options.model,
      engine: identity,
      duration: job.duration ?? 0,
      options: { ...job.options },
      credits: await this.hooks.computeCharge(this.dataSource, { id: jobId, seconds: job.duration ?? 0 }),
      punctuated: punctuation,
      turns,
      warnings: [
        ...buildFileWarnings(await readAudioSizes(this.dataSource, jobId), job.duration ?? 0, job.options),
        ...warnings,
        ...punctuationWarnings,
        ...buildVocabularyWarnings(job.options, { vocabulary }, reports),
        ...buildEngineWarnings(job.options, reports),
        ...main.warnings,
      ],
    };
    return assembleTimelines(input, timelines);
  }

  private async diarize(
    jobId: string,
    options: JobOptions,
    signal: AbortSignal,
  ): ReturnType<typeof diarizeChunks> {
    const chunks = options.speaker_labels ? await readChunkSpeakerFeatures(this.dataSource, jobId) : [];
    return diarizeChunks(chunks, options, signal);
  }

  private async loadTimeline(jobId: string, duration: number, signal: AbortSignal) {
    const timelines = new ChannelTimelines(duration);
    const reports: (Omit<ChunkOutput, 'language' | 'words' | 'voices'> & { seconds: number })[] = [];
    for await (const { index, input, result } of streamChunkResults(this.dataSource, jobId)) {
      signal.throwIfAborted();
      const { start, end, channel, speech } = input;
      const { language, words, ...report } = result;
      timelines.add({ index, start, end, channel, speech, language, words });
      reports.push({ ...report, seconds: end - start });
    }
    return { timelines: timelines.all, reports };
  }

  /** Returns the key of the requested format. */
  private async storeTranscript(
    stage: ClaimedStage,
    document: TranscriptDocument,
    signal: AbortSignal,
  ): Promise<string> {
    const { jobId, fence } = stage;
    const json = getExporter('json');
    const documentKey = buildDocumentKey(jobId, fence);
    const { size } = await this.store.put(
      documentKey,
      Readable.from(renderJsonChunks(document), { signal }),
      json.contentType,
    );
    if (stage.job.options.output_type === 'json') return documentKey;
    const { output_type: format } = stage.job.options;
    const { extension, contentType } = getExporter(format);
    const key = buildRenderingKey(jobId, fence, extension);
    const file = await this.files.render(this.store, document, { key: documentKey, size }, format);
    await this.store.put(key, file, contentType);
    return key;
  }
}
