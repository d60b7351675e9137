import { join } from 'node:path';
import {
  aggregateWhenDone,
  type ChunkInput,
  type ChunkOutput,
  type ClaimedStage,
  completeStage,
  countStep,
  type StageCommit,
  StageWaits,
} from '@app/jobs';
import { EngineUnavailable, type SpeechAids, type SpeechEngine } from '@app/speech';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
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
      await this.store.fetchToFile(key, path, { signal });
      const { custom_vocabulary: terms, speaker_labels: speakers } = stage.job.options;
      const [heard, voices] = await Promise.all([
        this.engine
          .transcribe({ path, duration: end - start }, { vocabulary: terms ?? [], signal })
          .catch(waitWhileAway),
        speakers ? keepVoices(path, this.aids.speakers, signal) : null,
      ]);
      const language = await tellLanguage(heard, path, this.aids.language, signal);
      return { ...heard, language, voices };
    });
    return commitChunk(stage, output);
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
