import { join } from 'node:path';
import {
  scheduleOrClaimAggregationIfLastChunk,
  type ChunkInput,
  type ChunkOutput,
  type ChunkOutputWord,
  type ClaimedStage,
  completeStageAndRecordStep,
  AUDIO_MISSING_FAILURE_REASON,
  type StageCommitCallback,
  UnrecoverableStageError,
  StageInputMissingError,
  DependencyCrashedError,
  DependencyUnavailableError,
} from '@app/jobs';
import {
  type PackedAudioSpan,
  type ChunkFile,
  type ChunkTranscription,
  sanitizeTranscriptionForStorage,
  EngineUnavailableError,
  type AuxiliaryModels,
  PackedAudioTimeMap,
  type RecognizedWord,
  type SpeechEngine,
} from '@app/speech';
import { OBJECT_STORE_TOKEN, ObjectNotFoundError, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { describeEngineForChunkResult } from '../engine/describe-engine-for-chunk-result.js';
import { AUXILIARY_MODELS_TOKEN, SPEECH_ENGINE_TOKEN } from '../engine/engine-tokens.js';
import { toSpeakerLimits } from './to-speaker-limits.js';
import { withScratchSubdirectory } from '../scratch/with-scratch-subdirectory.js';
import { extractChunkSpeakerFeatures, identifyChunkLanguage } from './chunk-auxiliary-models.js';

interface SpeakerBlock {
  /** Paths of WAV files whose audio follows each other. */
  paths: string[];
  /** Where the audio belongs; empty if it is the file from the start of the chunk. */
  parts: PackedAudioSpan[];
}

/** The last chunk of a job enqueues aggregation. */
@Injectable()
export class ChunkStage {
  constructor(
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE_TOKEN) private readonly engine: SpeechEngine,
    @Inject(AUXILIARY_MODELS_TOKEN)
    private readonly auxiliaryModels: Pick<AuxiliaryModels, 'speakerFeatureExtractor' | 'languageIdentifier'>,
  ) {}

  async transcribe(stage: ClaimedStage, signal: AbortSignal): Promise<ChunkOutput> {
    return withScratchSubdirectory(async (folder) => {
      const input = stage.input as ChunkInput;
      const path = join(folder, 'chunk.wav');
      await this.fetchChunk(input.key, path, stage, signal);
      const block = await this.fetchSpeakerBlock(input, path, folder, stage, signal);
      const { transcription, speakerFeatures } = await this.transcribeFile(
        buildChunkFile(path, input),
        block,
        stage,
        signal,
      );
      const language = await identifyChunkLanguage(
        transcription,
        path,
        this.auxiliaryModels.languageIdentifier,
        this.engine.capabilities.languages,
        signal,
      );
      const engine = await describeEngineForChunkResult(this.engine);
      return { engine, ...placeInFile({ ...transcription, language }, speakerFeatures, input) };
    });
  }

  /** The audio in which speakers are found; no files if another chunk describes it. */
  private async fetchSpeakerBlock(
    { key: ownKey, speakerBlock, packed }: ChunkInput,
    ownPath: string,
    folder: string,
    stage: ClaimedStage,
    signal: AbortSignal,
  ): Promise<SpeakerBlock> {
    if (!stage.job.options.speaker_labels) return { paths: [], parts: [] };
    if (!speakerBlock) return { paths: [ownPath], parts: packed?.parts ?? [] };
    const paths: string[] = [];
    for (const [index, { key }] of (speakerBlock.chunks ?? []).entries()) {
      const path = key === ownKey ? ownPath : join(folder, `block-${index}.wav`);
      if (key !== ownKey) await this.fetchChunk(key, path, stage, signal);
      paths.push(path);
    }
    return { paths, parts: (speakerBlock.chunks ?? []).flatMap(({ parts }) => parts) };
  }

  /** @throws StageInputMissingError if the chunk is missing, and UnrecoverableStageError if the audio is missing, too */
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
        throw new UnrecoverableStageError(AUDIO_MISSING_FAILURE_REASON, undefined, error);
      throw new StageInputMissingError(error);
    }
  }

  /** A failed transcription aborts the extraction of speaker features. The file is deleted only after both have ended. */
  private async transcribeFile(
    audio: ChunkFile,
    { paths, parts }: SpeakerBlock,
    { job }: ClaimedStage,
    signal: AbortSignal,
  ) {
    const { custom_vocabulary: terms } = job.options;
    const failure = new AbortController();
    const transcribing = this.engine
      .transcribe(audio, { vocabulary: terms ?? [], signal })
      .then(sanitizeTranscriptionForStorage)
      .catch((error: unknown) => {
        failure.abort(error);
        return rethrowAsStageError(error);
      });
    const describeSignal = AbortSignal.any([signal, failure.signal]);
    const describing =
      paths.length > 0
        ? extractChunkSpeakerFeatures(
            paths,
            this.auxiliaryModels.speakerFeatureExtractor,
            toSpeakerLimits(job.options),
            describeSignal,
            parts,
          )
        : null;
    await Promise.allSettled([transcribing, describing]);
    const [transcription, speakerFeatures] = await Promise.all([transcribing, describing]);
    return { transcription, speakerFeatures };
  }
}

function buildChunkFile(
  path: string,
  { start, end, packed, speech, speechDetector: detector = 'level' }: ChunkInput,
): ChunkFile {
  const duration = packed?.seconds ?? end - start;
  const spans = speech && new PackedAudioTimeMap(packed?.parts).toAudio(speech);
  return { path, duration, ...(spans && { speech: { detector, spans } }) };
}

/** The audio of a packed chunk leaves out parts of the file; stored times do not. */
function placeInFile(
  transcription: ChunkTranscription,
  speakerFeatures: string | null,
  { packed }: ChunkInput,
): ChunkOutput {
  const audio = new PackedAudioTimeMap(packed?.parts);
  const words = packed ? endAtNextWords(transcription.words) : transcription.words;
  return {
    ...transcription,
    words: words.map((word) => audio.wordToFile(toOutputWord(word))),
    voices: speakerFeatures,
  };
}

/** By the middle of a word that lasts too long it would be in the wrong part of a packed chunk. */
function endAtNextWords(words: readonly RecognizedWord[]): RecognizedWord[] {
  return words.map((word, index) => {
    const next = words[index + 1]?.start ?? Infinity;
    return next > word.start && next < word.end ? { ...word, end: next } : word;
  });
}

function toOutputWord({ estimatedWithin, ...word }: RecognizedWord): ChunkOutputWord {
  return estimatedWithin ? { ...word, estimated: true } : word;
}

/** An unavailable engine is a problem of the installation, not of the recording: doctor reports it. */
function rethrowAsStageError(error: unknown): never {
  if (!(error instanceof EngineUnavailableError)) throw error;
  throw error.isChunkSuspected ? new DependencyCrashedError(error) : new DependencyUnavailableError(error);
}

export function createChunkCommitCallback(stage: ClaimedStage, output: ChunkOutput): StageCommitCallback {
  return async (tx) => {
    await completeStageAndRecordStep(tx, stage, output);
    await scheduleOrClaimAggregationIfLastChunk(tx, stage, null);
  };
}
