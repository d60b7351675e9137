import { join } from 'node:path';
import {
  type ChunkInput,
  chunkKey,
  type ClaimedStage,
  JOB_EFFECTS,
  type JobEffects,
  type StageCommit,
  StageFailure,
} from '@app/jobs';
import { AidFailed, AudioTooLong, AudioUndecodable, cutAudio, type SpeechAids } from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { PROCESSOR_OPTIONS, type ProcessorOptions, SPEECH_AIDS } from '../processor-options.js';
import { inWorkFolder } from '../work-folder.js';
import { AudioSource } from './audio-source.js';
import { commitPreprocess } from './commit-preprocess.js';
import { PutAhead } from './put-ahead.js';

const logger = new Logger('VoiceActivity');

interface CutFile {
  /** Seconds. */
  duration: number;
  chunks: ChunkInput[];
}

/** Decodes the audio once, cuts it in pauses and stores the chunks. Memory does not grow with the length of the file. */
@Injectable()
export class PreprocessStage {
  constructor(
    @Inject(AudioSource) private readonly source: AudioSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(JOB_EFFECTS) private readonly effects: JobEffects,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(SPEECH_AIDS) private readonly aids: Pick<SpeechAids, 'voiceActivity'>,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommit> {
    return inWorkFolder(async (folder) => {
      const path = join(folder, 'audio');
      const { size } = await this.source.fetch(stage, path, signal);
      const { duration, chunks } = await this.cut(stage, path, signal);
      const announced = size > this.options.smallFileBytes;
      return commitPreprocess(stage, { duration, chunks, announced, effects: this.effects });
    });
  }

  /** A model of voice activity that fails costs the time until then: the file is cut again without it. */
  private async cut(stage: ClaimedStage, path: string, signal: AbortSignal): Promise<CutFile> {
    try {
      return await this.cutBy(this.aids.voiceActivity, stage, path, signal);
    } catch (error) {
      if (!(error instanceof AidFailed)) throw error;
      logger.warn(`${error.message} Speech is told by its level instead: ${String(error.cause)}`);
      return this.cutBy(null, stage, path, signal);
    }
  }

  private async cutBy(
    finder: SpeechAids['voiceActivity'],
    stage: ClaimedStage,
    path: string,
    signal: AbortSignal,
  ): Promise<CutFile> {
    const chunks: ChunkInput[] = [];
    const stored = new PutAhead();
    const { chunkSeconds: targetSeconds, chunkMaxSeconds: maxSeconds } = this.options;
    try {
      const wish = { path, targetSeconds, maxSeconds, finder, signal };
      const { duration } = await cutAudio(wish, async (chunk) => {
        const key = chunkKey(stage.jobId, stage.fence, chunk.index);
        await stored.add(() => this.store.put(key, chunk.wav, 'audio/wav'));
        chunks.push({ key, start: chunk.start, end: chunk.end, speech: chunk.speech });
      });
      await stored.done();
      return { duration, chunks };
    } catch (error) {
      if (error instanceof AudioUndecodable || error instanceof AudioTooLong)
        throw new StageFailure(error.message, undefined, error);
      throw error;
    } finally {
      await stored.settled();
    }
  }
}
