import { Readable } from 'node:stream';
import {
  type ClaimedStage,
  buildTranscriptDocumentKey,
  completeJobWithLastStage,
  type LastStageCompletion,
  JOB_HOOKS_TOKEN,
  type JobHooks,
  buildRenderedTranscriptKey,
  type StageCommitCallback,
} from '@app/jobs';
import type { AuxiliaryModels, SpeechEngine } from '@app/speech';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import {
  assembleTranscriptMutatingTimelines,
  getExporter,
  renderJsonBuffers,
  type TranscriptDocument,
} from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AUXILIARY_MODELS_TOKEN, SPEECH_ENGINE_TOKEN } from '../engine/engine-tokens.js';
import { collectGarbage } from '../heap.js';
import {
  buildEngineWarnings,
  buildAudioFileWarnings,
  buildSpeakerCountWarnings,
  buildVocabularyWarnings,
} from './transcript-warnings.js';
import { isTextPunctuated } from './is-text-punctuated.js';
import { addPredictedPunctuation } from './set-punctuation-marks.js';
import { describeEngineForChunkResult } from '../engine/describe-engine-for-chunk-result.js';
import { findMainEngineAndWarnings } from './find-main-engine-and-warnings.js';
import { diarizeChunks } from './diarize-chunks.js';
import {
  loadChannelTimelinesAndChunkReports,
  type TranscribedRecording,
  DatabaseTranscribedRecording,
} from './transcribed-recording.js';
import { TranscriptFileRenderer } from './transcript-file-renderer.js';

/** Shorter recordings do not fill the heap. */
const LONG_RECORDING_SECONDS = 3_600;

@Injectable()
export class AggregationStage {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE_TOKEN) private readonly engine: SpeechEngine,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(AUXILIARY_MODELS_TOKEN) private readonly auxiliaryModels: Pick<AuxiliaryModels, 'punctuator'>,
    private readonly files: TranscriptFileRenderer,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommitCallback> {
    const recording = await DatabaseTranscribedRecording.read(this.dataSource, stage);
    const resultKey = await this.storeTranscript(stage, recording, signal);
    return this.buildCommit(stage, [stage.name], resultKey);
  }

  /**
   * Assembles the transcript and stores it under the fence of the stage.
   * @returns the key of the requested format
   */
  async storeTranscript(
    stage: ClaimedStage,
    recording: TranscribedRecording,
    signal: AbortSignal,
  ): Promise<string> {
    return this.storeDocument(stage, await this.assemble(stage, recording, signal), signal);
  }

  /** Completes the job. @param steps that the worker has done under the lease of the stage */
  buildCommit(
    stage: ClaimedStage,
    steps: LastStageCompletion['steps'],
    resultKey: string,
  ): StageCommitCallback {
    return (tx) => completeJobWithLastStage(tx, this.hooks, resultKey, { stage, steps });
  }

  private async assemble(
    { jobId, job }: ClaimedStage,
    recording: TranscribedRecording,
    signal: AbortSignal,
  ): Promise<TranscriptDocument> {
    const { duration, heldSeconds } = recording;
    // Before the words are read, so that features and words of ten hours are not in memory at the same time.
    const described = job.options.speaker_labels ? await recording.readSpeakerFeatures() : [];
    const { turns, warnings } = await diarizeChunks(described, job.options, signal);
    if (duration > LONG_RECORDING_SECONDS) collectGarbage();
    const { timelines, reports } = await loadChannelTimelinesAndChunkReports(recording, signal);
    const main = findMainEngineAndWarnings(reports, await describeEngineForChunkResult(this.engine));
    const { punctuation: mayPunctuate, vocabulary, ...identity } = main.engine;
    // What a remote server writes depends on its model.
    const punctuation = mayPunctuate && isTextPunctuated(timelines);
    const { punctuator } = this.auxiliaryModels;
    const punctuationWarnings = await addPredictedPunctuation(
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
      duration,
      options: { ...job.options },
      credits: await this.hooks.computeCharge(this.dataSource, {
        ...{ id: jobId, seconds: duration },
        ...(heldSeconds !== undefined && { heldSeconds }),
      }),
      punctuated: punctuation,
      turns,
      warnings: [
        ...buildAudioFileWarnings(recording.audioSummary, duration, job.options),
        ...warnings,
        ...punctuationWarnings,
        ...buildVocabularyWarnings(job.options, { vocabulary }, reports),
        ...buildEngineWarnings(job.options, reports),
        ...main.warnings,
      ],
    };
    const document = assembleTranscriptMutatingTimelines(input, timelines);
    const countWarnings = buildSpeakerCountWarnings(job.options, document.speakers.length);
    return { ...document, warnings: [...document.warnings, ...countWarnings] };
  }

  /** Returns the key of the requested format. */
  private async storeDocument(
    stage: ClaimedStage,
    document: TranscriptDocument,
    signal: AbortSignal,
  ): Promise<string> {
    const { jobId, fence } = stage;
    const json = getExporter('json');
    const documentKey = buildTranscriptDocumentKey(jobId, fence);
    const { size } = await this.store.put(
      documentKey,
      Readable.from(renderJsonBuffers(document), { signal }),
      json.contentType,
    );
    if (stage.job.options.output_type === 'json') return documentKey;
    const { output_type: format } = stage.job.options;
    const { extension, contentType } = getExporter(format);
    const key = buildRenderedTranscriptKey(jobId, fence, extension);
    const file = await this.files.render(this.store, document, { key: documentKey, size }, format);
    await this.store.put(key, file, contentType);
    return key;
  }
}
