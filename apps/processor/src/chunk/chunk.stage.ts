import { join } from 'node:path';
import {
  aggregateWhenDone,
  type ChunkInput,
  type ChunkOutput,
  type ClaimedStage,
  completeStage,
  countStep,
  AUDIO_GONE,
  type StageCommit,
  StageFailure,
  StageInputMissing,
  StageWaits,
} from '@app/jobs';
import { type ChunkAudio, EngineUnavailable, type SpeechAids, type SpeechEngine } from '@app/speech';
import { OBJECT_STORE, ObjectMissing, type ObjectStore } from '@app/storage';
import { Inject, Injectable } from '@nestjs/common';
import { SPEECH_AIDS, SPEECH_ENGINE } from '../processor-options.js';
import { inWorkFolder } from '../work-folder.js';
import { keepVoices } from './keep-voices.js';
import { tellLanguage } from './tell-language.js';

/** One chunk of audio through the engine. The chunk that finds itself the last makes aggregation due. */
@Injectable()
export class ChunkStage {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SPEECH_ENGINE) private readonly engine: SpeechEngine,
    @Inject(SPEECH_AIDS) private readonly aids: Pick<SpeechAids, 'speakers' | 'language'>,
  ) {}

  async work(stage: ClaimedStage, signal: AbortSignal): Promise<StageCommit> {
    const output = await inWorkFolder(async (folder) => {
      const { key, start, end } = stage.input as ChunkInput;
      const path = join(folder, 'chunk.wav');
      await this.fetch(key, path, stage, signal);
      const { heard, voices } = await this.hear({ path, duration: end - start }, stage, signal);
      const language = await tellLanguage(heard, path, this.aids.language, signal);
      return { ...heard, language, voices };
    });
    return commitChunk(stage, output);
  }

  /** @throws StageInputMissing when it is gone and may be cut anew, and StageFailure when the audio is gone as well. */
  private async fetch(key: string, path: string, { job }: ClaimedStage, signal: AbortSignal): Promise<void> {
    try {
      await this.store.fetchToFile(key, path, { signal });
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      if (job.audioUrl === null && (await this.store.head(job.audioKey)) === null)
        throw new StageFailure(AUDIO_GONE, undefined, error);
      throw new StageInputMissing(error);
    }
  }

  /** Words and voices at once. Voices nobody waits for are given up; the file goes with its folder only when both have ended. */
  private async hear(audio: ChunkAudio, { job }: ClaimedStage, signal: AbortSignal) {
    const { custom_vocabulary: terms, speaker_labels: speakers } = job.options;
    const unheard = new AbortController();
    const hearing = this.engine
      .transcribe(audio, { vocabulary: terms ?? [], signal })
      .catch((error: unknown) => {
        unheard.abort(error);
        return waitWhileAway(error);
      });
    const wanted = AbortSignal.any([signal, unheard.signal]);
    const keeping = speakers ? keepVoices(audio.path, this.aids.speakers, wanted) : null;
    await Promise.allSettled([hearing, keeping]);
    const [heard, voices] = await Promise.all([hearing, keeping]);
    return { heard, voices };
  }
}

/** Whoever put the engine there is told by the log, and by `doctor`; no recording is to blame. */
function waitWhileAway(error: unknown): never {
  throw error instanceof EngineUnavailable ? new StageWaits(error) : error;
}

function commitChunk(stage: ClaimedStage, output: ChunkOutput): StageCommit {
  return async (tx) => {
    const counted = await countStep(tx, stage.jobId, stage.name);
    await completeStage(tx, stage, output);
    if (counted) await aggregateWhenDone(tx, stage.jobId);
  };
}
