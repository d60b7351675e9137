import { join } from 'node:path';
import {
  type ChunkInput,
  buildChunkKey,
  type ClaimedStage,
  type CommitCheckpoint,
  JOB_HOOKS,
  type JobHooks,
  type StageCommit,
  UnrecoverableStageError,
  DependencyUnavailableError,
} from '@app/jobs';
import {
  AuxiliaryModelError,
  AudioTooLongError,
  UndecodableAudioError,
  chunkAudio,
  type AuxiliaryModels,
  type SpeechEngine,
  ToolMissingError,
} from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  PROCESSOR_OPTIONS,
  type ProcessorOptions,
  AUXILIARY_MODELS,
  SPEECH_ENGINE,
} from '../processor-options.js';
import { withScratchSubdirectory } from '../with-scratch-subdirectory.js';
import { AudioSource } from './audio-source.js';
import { commitPreprocess, dispatchChunks } from './commit-preprocess.js';
import { ChunkDispatchSchedule } from './chunk-dispatch-schedule.js';
import { BoundedUploader } from './bounded-uploader.js';

const logger = new Logger('VoiceActivity');

interface ChunkingInput {
  stage: ClaimedStage;
  path: string;
  signal: AbortSignal;
  commitCheckpoint: CommitCheckpoint;
}

interface ChunkedFile {
  /** Seconds. */
  duration: number;
  /** Declared duration in seconds, if clearly less could be decoded. */
  declaredSeconds: number | null;
  chunks: ChunkInput[];
}

/**
 * Decodes the audio once, splits it at pauses, and stores and dispatches the chunks, the first ones before
 * chunking has ended. Memory does not grow with the duration of the file.
 */
@Injectable()
export class PreprocessStage {
  constructor(
    private readonly source: AudioSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(JOB_HOOKS) private readonly hooks: JobHooks,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(AUXILIARY_MODELS) private readonly auxiliaryModels: Pick<AuxiliaryModels, 'speechDetector'>,
    @Inject(SPEECH_ENGINE) private readonly engine: Pick<SpeechEngine, 'warmUp'>,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal, commitAhead: CommitCheckpoint): Promise<StageCommit> {
    this.engine.warmUp?.(stage.job.options.custom_vocabulary ?? []);
    return withScratchSubdirectory(async (folder) => {
      const path = join(folder, 'audio');
      const { size } = await this.source.fetch(stage, path, signal);
      const file = await this.chunkAudio({ stage, path, signal, commitCheckpoint: commitAhead });
      const announced = size > this.options.smallFileBytes;
      return commitPreprocess(stage, { ...file, countsAsStep: announced, hooks: this.hooks });
    });
  }

  /**
   * If the voice activity model fails, the file is split again without it. Dispatched chunks whose input differs
   * start over.
   */
  private async chunkAudio(cutting: ChunkingInput): Promise<ChunkedFile> {
    try {
      return await this.chunkAudioWith(this.auxiliaryModels.speechDetector, cutting);
    } catch (error) {
      if (!(error instanceof AuxiliaryModelError)) throw error;
      logger.warn(`${error.message} Speech is detected by volume instead: ${String(error.cause)}`);
      return this.chunkAudioWith(null, cutting);
    }
  }

  private async chunkAudioWith(
    speechDetector: AuxiliaryModels['speechDetector'],
    cutting: ChunkingInput,
  ): Promise<ChunkedFile> {
    const { stage, path, signal, commitCheckpoint: commitAhead } = cutting;
    const { chunkSeconds: targetSeconds, chunkMaxSeconds: maxSeconds, concurrency } = this.options;
    const chunks: ChunkInput[] = [];
    const stored = new BoundedUploader();
    const handOuts = new ChunkDispatchSchedule(concurrency.chunk);
    try {
      const request = { path, targetSeconds, maxSeconds, speechDetector, signal };
      const { duration, declaredSeconds } = await chunkAudio(request, async (chunk) => {
        const key = buildChunkKey(stage.jobId, stage.fence, chunk.index);
        await stored.add(() => this.store.put(key, chunk.wav, 'audio/wav'));
        chunks.push({ key, start: chunk.start, end: chunk.end, speech: chunk.speech });
        if (!handOuts.isDue(chunks.length)) return;
        await stored.flush();
        await commitAhead(dispatchChunks(stage, chunks, this.hooks));
      });
      await stored.flush();
      return { duration, declaredSeconds, chunks };
    } catch (error) {
      if (error instanceof UndecodableAudioError || error instanceof AudioTooLongError)
        throw new UnrecoverableStageError(error.message, undefined, error);
      // Another machine may have the decoder, and this one may have it again soon.
      if (error instanceof ToolMissingError) throw new DependencyUnavailableError(error);
      throw error;
    } finally {
      await stored.waitUntilSettled();
    }
  }
}
