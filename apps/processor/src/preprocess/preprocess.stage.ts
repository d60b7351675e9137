import { join } from 'node:path';
import {
  type ChunkInput,
  buildChunkKey,
  type ClaimedStage,
  type CommitPartialResult,
  JOB_HOOKS_TOKEN,
  type JobHooks,
  type StageCommitCallback,
  type StageCommitWithNextStages,
  UnrecoverableStageError,
  DependencyUnavailableError,
} from '@app/jobs';
import {
  AuxiliaryModelError,
  AudioTooLongError,
  DecoderUnavailableError,
  UndecodableAudioError,
  chunkAudioToSink,
  type AuxiliaryModels,
  type SpeechEngine,
  ToolMissingError,
} from '@app/speech';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { AUXILIARY_MODELS_TOKEN, SPEECH_ENGINE_TOKEN } from '../engine/engine-tokens.js';
import { PROCESSOR_OPTIONS_TOKEN, type ProcessorOptions } from '../processor-options.js';
import { StageHandOverRunner } from '../hand-over/stage-hand-over-runner.js';
import { withScratchSubdirectory } from '../scratch/with-scratch-subdirectory.js';
import { StoredJobAudioDownloader } from './stored-job-audio-downloader.js';
import {
  type ChunkedFile,
  createAffordabilityCheckCommitCallback,
  createPreprocessCommitCallback,
  createEarlyChunkDispatchCommitCallback,
  ChunkDispatchSchedule,
} from './preprocess-commits.js';
import { DiarizationBlockAssigner } from './diarization-block-assigner.js';
import { BoundedUploader } from './bounded-uploader.js';

/** Longer ones would delay the end of a job by the time that the model takes for them. */
const SPEAKER_BLOCK_SECONDS = 300;

const logger = new Logger('VoiceActivity');

interface ChunkingInput {
  stage: ClaimedStage;
  path: string;
  signal: AbortSignal;
  commitPartialResult: CommitPartialResult;
}

/** Dispatches the first chunks before chunking has ended. Memory does not grow with the duration of the file. */
@Injectable()
export class PreprocessStage {
  constructor(
    private readonly source: StoredJobAudioDownloader,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    @Inject(JOB_HOOKS_TOKEN) private readonly hooks: JobHooks,
    @Inject(PROCESSOR_OPTIONS_TOKEN) private readonly options: ProcessorOptions,
    @Inject(AUXILIARY_MODELS_TOKEN)
    private readonly auxiliaryModels: Pick<AuxiliaryModels, 'speechDetector' | 'speakerFeatureExtractor'>,
    @Inject(SPEECH_ENGINE_TOKEN) private readonly engine: Pick<SpeechEngine, 'warmUp' | 'packedSeconds'>,
    @Optional() private readonly handOver?: StageHandOverRunner,
  ) {}

  async work(
    stage: ClaimedStage,
    signal: AbortSignal,
    commitPartialResult: CommitPartialResult,
  ): Promise<StageCommitCallback | StageCommitWithNextStages> {
    this.engine.warmUp?.(stage.job.options.custom_vocabulary ?? []);
    return withScratchSubdirectory(async (folder) => {
      const path = join(folder, 'audio');
      const size = await this.source.fetchToFile(stage, path, signal);
      const file = await this.chunkAudio({ stage, path, signal, commitPartialResult });
      const countsAsStep = size > this.options.smallFileBytes;
      return (
        this.handOver?.buildHandOver(stage, file, countsAsStep) ??
        createPreprocessCommitCallback(stage, file, countsAsStep, this.hooks)
      );
    });
  }

  /** Splits again without the voice activity model if it fails. Dispatched chunks whose input differs start over. */
  private async chunkAudio(input: ChunkingInput): Promise<ChunkedFile> {
    try {
      return await this.chunkAudioWith(this.auxiliaryModels.speechDetector, { ...input, chunking: 1 });
    } catch (error) {
      if (!(error instanceof AuxiliaryModelError)) throw error;
      logger.warn(`${error.message} Speech is detected by volume instead: ${String(error.cause)}`);
      return this.chunkAudioWith(null, { ...input, chunking: 2 });
    }
  }

  private async chunkAudioWith(
    speechDetector: AuxiliaryModels['speechDetector'],
    input: ChunkingInput & { chunking: number },
  ): Promise<ChunkedFile> {
    const { stage, path, signal, commitPartialResult, chunking } = input;
    const { chunkSeconds: targetSeconds, chunkMaxSeconds: maxSeconds, concurrency } = this.options;
    const chunks: ChunkInput[] = [];
    let hasAddedChunks = chunking > 1;
    const detector = speechDetector ? 'model' : 'level';
    const blocks =
      stage.job.options.speaker_labels && this.auxiliaryModels.speakerFeatureExtractor
        ? new DiarizationBlockAssigner(SPEAKER_BLOCK_SECONDS)
        : null;
    const uploader = new BoundedUploader();
    const schedule = new ChunkDispatchSchedule(concurrency.chunk);
    try {
      const { packedSeconds } = this.engine;
      const { multichannel = 'auto' } = stage.job.options;
      const lengths = { targetSeconds, maxSeconds, packedSeconds };
      const onProgress = (seconds: number) =>
        commitPartialResult(createAffordabilityCheckCommitCallback(stage, seconds, this.hooks));
      const request = { path, ...lengths, multichannel, speechDetector, onProgress, signal };
      const {
        duration,
        declaredSeconds,
        damagedSeconds,
        multichannel: isApart,
      } = await chunkAudioToSink(request, async (chunk) => {
        const { start, end, speech, parts, seconds, channel } = chunk;
        const key = buildChunkKey(stage.jobId, stage.fence, { chunking, index: chunk.index });
        // A chunk that a power failure damages is cut from the audio again.
        await uploader.add(() => this.store.put(key, chunk.wav, 'audio/wav', { isDurable: false }));
        const packed = parts && { packed: { seconds, parts } };
        const apart = channel !== undefined && { channel };
        const chunkInput: ChunkInput = {
          key,
          start,
          end,
          ...apart,
          speech,
          speechDetector: detector,
          ...packed,
        };
        blocks?.add(chunkInput);
        chunks.push(chunkInput);
        if (!schedule.isDue(chunks.length)) return;
        await uploader.flush();
        const isFinal = (each: ChunkInput) => blocks?.isFinal(each) !== false;
        if (!chunks.some(isFinal)) return;
        await commitPartialResult(createEarlyChunkDispatchCommitCallback(stage, chunks, isFinal, this.hooks));
        hasAddedChunks = true;
      });
      blocks?.closeAll();
      await uploader.flush();
      return { duration, declaredSeconds, damagedSeconds, multichannel: isApart, chunks, hasAddedChunks };
    } catch (error) {
      if (error instanceof UndecodableAudioError || error instanceof AudioTooLongError)
        throw new UnrecoverableStageError(error.message, undefined, error);
      // Another machine may have the decoder, or it may be installed or start again soon.
      if (error instanceof ToolMissingError || error instanceof DecoderUnavailableError)
        throw new DependencyUnavailableError(error);
      throw error;
    } finally {
      await uploader.waitUntilSettled();
    }
  }
}
