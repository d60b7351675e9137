import { join } from 'node:path';
import {
  scheduleAggregationIfDone,
  type ChunkInput,
  type ChunkOutput,
  type ClaimedStage,
  completeStage,
  recordProgress,
  AUDIO_MISSING_REASON,
  type StageCommit,
  UnrecoverableStageError,
  StageInputMissingError,
  DependencyUnavailableError,
} from '@app/jobs';
import {
  type ChunkAudio,
  EngineUnavailableError,
  type AuxiliaryModels,
  type SpeechEngine,
} from '@app/speech';
import { OBJECT_STORE, ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { AUXILIARY_MODELS, SPEECH_ENGINE } from '../processor-options.js';
import { withScratchSubdirectory } from '../with-scratch-subdirectory.js';
import { describeChunkVoices } from './describe-chunk-voices.js';
import { identifyChunkLanguage } from './identify-chunk-language.js';

/** Transcribes one chunk. The last chunk of a job enqueues aggregation. */
@Injectable()
export class ChunkStage {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(AUXILIARY_MODELS)
    private readonly auxiliaryModels: Pick<AuxiliaryModels, 'speakerFeatureExtractor' | 'languageIdentifier'>,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommit> {
    const output = await withScratchSubdirectory(async (folder) => {
      const { key, start, end } = stage.input as ChunkInput;
      const path = join(folder, 'chunk.wav');
      await this.fetchChunk(key, path, stage, signal);
      const { heard, voices } = await this.transcribe({ path, duration: end - start }, stage, signal);
      const language = await identifyChunkLanguage(
        heard,
        path,
        this.auxiliaryModels.languageIdentifier,
        signal,
      );
      return { ...heard, language, voices };
    });
    return commitChunk(stage, output);
  }

  /** @throws StageInputMissingError when it is gone and may be cut anew, and UnrecoverableStageError when the audio is gone as well. */
  private async fetchChunk(
    key: string,
    path: string,
    { job }: ClaimedStage,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.store.fetchToFile(key, path, { signal });
    } catch (error) {
      if (!(error instanceof ObjectNotFoundError)) throw error;
      if (job.audioUrl === null && (await this.store.head(job.audioKey)) === null)
        throw new UnrecoverableStageError(AUDIO_MISSING_REASON, undefined, error);
      throw new StageInputMissingError(error);
    }
  }

  /**
   * Transcribes and describes voices in parallel. If transcription fails, the description is aborted. The file is
   * deleted only after both have ended.
   */
  private async transcribe(audio: ChunkAudio, { job }: ClaimedStage, signal: AbortSignal) {
    const { custom_vocabulary: terms, speaker_labels: speakers } = job.options;
    const unheard = new AbortController();
    const hearing = this.engine
      .transcribe(audio, { vocabulary: terms ?? [], signal })
      .catch((error: unknown) => {
        unheard.abort(error);
        return rethrowAsStageError(error);
      });
    const wanted = AbortSignal.any([signal, unheard.signal]);
    const keeping = speakers
      ? describeChunkVoices(audio.path, this.auxiliaryModels.speakerFeatureExtractor, wanted)
      : null;
    await Promise.allSettled([hearing, keeping]);
    const [heard, voices] = await Promise.all([hearing, keeping]);
    return { heard, voices };
  }
}

/**
 * An unavailable engine is a problem of the installation and not of the recording: it is logged, and doctor
 * reports it.
 */
function rethrowAsStageError(error: unknown): never {
  throw error instanceof EngineUnavailableError ? new DependencyUnavailableError(error) : error;
}

function commitChunk(stage: ClaimedStage, output: ChunkOutput): StageCommit {
  return async (tx) => {
    const counted = await recordProgress(tx, stage.jobId, stage.name);
    await completeStage(tx, stage, output);
    if (counted) await scheduleAggregationIfDone(tx, stage.jobId);
  };
}
