import { join } from 'node:path';
import {
  type ChunkInput,
  chunkKey,
  type ClaimedStage,
  type CommitAhead,
  JOB_EFFECTS,
  type JobEffects,
  type StageCommit,
  StageFailure,
  StageWaits,
} from '@app/jobs';
import {
  AidFailed,
  AudioTooLong,
  AudioUndecodable,
  cutAudio,
  type SpeechAids,
  type SpeechEngine,
  ToolMissing,
} from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  PROCESSOR_OPTIONS,
  type ProcessorOptions,
  SPEECH_AIDS,
  SPEECH_ENGINE,
} from '../processor-options.js';
import { inWorkFolder } from '../work-folder.js';
import { AudioSource } from './audio-source.js';
import { commitPreprocess, handOut } from './commit-preprocess.js';
import { HandOuts } from './hand-outs.js';
import { PutAhead } from './put-ahead.js';

const logger = new Logger('VoiceActivity');

interface Cutting {
  stage: ClaimedStage;
  /** Of the file. */
  path: string;
  signal: AbortSignal;
  commitAhead: CommitAhead;
}

interface CutFile {
  /** Seconds. */
  duration: number;
  /** Seconds that the file declares, where clearly fewer could be decoded. */
  declaredSeconds: number | null;
  chunks: ChunkInput[];
}

/**
 * Decodes the audio once, cuts it in pauses, stores the chunks and hands them out, the first ones before the cut has come
 * to its end. Memory does not grow with the length of the file.
 */
@Injectable()
export class PreprocessStage {
  constructor(
    private readonly source: AudioSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(JOB_EFFECTS) private readonly effects: JobEffects,
    @Inject(PROCESSOR_OPTIONS) private readonly options: ProcessorOptions,
    @Inject(SPEECH_AIDS) private readonly aids: Pick<SpeechAids, 'voiceActivity'>,
    @Inject(SPEECH_ENGINE) private readonly engine: Pick<SpeechEngine, 'prepareFor'>,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal, commitAhead: CommitAhead): Promise<StageCommit> {
    this.engine.prepareFor?.(stage.job.options.custom_vocabulary ?? []);
    return inWorkFolder(async (folder) => {
      const path = join(folder, 'audio');
      const { size } = await this.source.fetch(stage, path, signal);
      const file = await this.cut({ stage, path, signal, commitAhead });
      const announced = size > this.options.smallFileBytes;
      return commitPreprocess(stage, { ...file, announced, effects: this.effects });
    });
  }

  /**
   * A model of voice activity that fails costs the time until then: the file is cut again without it, and what was handed
   * out and is cut otherwise now begins anew.
   */
  private async cut(cutting: Cutting): Promise<CutFile> {
    try {
      return await this.cutBy(this.aids.voiceActivity, cutting);
    } catch (error) {
      if (!(error instanceof AidFailed)) throw error;
      logger.warn(`${error.message} Speech is detected by volume instead: ${String(error.cause)}`);
      return this.cutBy(null, cutting);
    }
  }

  private async cutBy(finder: SpeechAids['voiceActivity'], cutting: Cutting): Promise<CutFile> {
    const { stage, path, signal, commitAhead } = cutting;
    const { chunkSeconds: targetSeconds, chunkMaxSeconds: maxSeconds, concurrency } = this.options;
    const chunks: ChunkInput[] = [];
    const stored = new PutAhead();
    const handOuts = new HandOuts(concurrency.chunk);
    try {
      const wish = { path, targetSeconds, maxSeconds, finder, signal };
      const { duration, declaredSeconds } = await cutAudio(wish, async (chunk) => {
        const key = chunkKey(stage.jobId, stage.fence, chunk.index);
        await stored.add(() => this.store.put(key, chunk.wav, 'audio/wav'));
        chunks.push({ key, start: chunk.start, end: chunk.end, speech: chunk.speech });
        if (!handOuts.isDue(chunks.length)) return;
        await stored.done();
        await commitAhead(handOut(stage, chunks, this.effects));
      });
      await stored.done();
      return { duration, declaredSeconds, chunks };
    } catch (error) {
      if (error instanceof AudioUndecodable || error instanceof AudioTooLong)
        throw new StageFailure(error.message, undefined, error);
      // Another machine may have the decoder, and this one again in a moment.
      if (error instanceof ToolMissing) throw new StageWaits(error);
      throw error;
    } finally {
      await stored.settled();
    }
  }
}
