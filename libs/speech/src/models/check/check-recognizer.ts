import { describeError } from '@app/errors';
import { EngineFailedError, EngineUnavailableError } from '../../engine/engine.js';
import { SherpaEngine } from '../../engine/sherpa/sherpa-engine.js';
import type { InstalledModel } from '../installed-model.js';
import { computeSpeakerAccuracy } from './compute-speaker-accuracy.js';
import { computeWordAccuracy } from './compute-word-accuracy.js';
import type { ModelCheckResult } from './model-check.js';
import {
  type DialogueAuxiliaryModels,
  type ReferenceDialogue,
  transcribeDialogue,
} from './transcribe-dialogue.js';

export interface RecognizerAccuracyCheckOptions {
  dialogue: ReferenceDialogue;
  /** 0 to 1 */
  minWordsRight: number;
  auxiliaryModels: DialogueAuxiliaryModels;
  signal: AbortSignal;
}

/**
 * Transcribes the dialogue with one copy of the model and one thread. A model that fails is a result, not an error.
 * @throws errors of the recording and of the machine; the reason of the signal
 */
export async function checkRecognizer(
  model: InstalledModel,
  { dialogue, minWordsRight, auxiliaryModels, signal }: RecognizerAccuracyCheckOptions,
): Promise<ModelCheckResult> {
  const engine = new SherpaEngine({ model, threads: 1, maxHosts: 1 });
  try {
    // Loading the model is not a part of its speed.
    await engine.check();
    const { text, speakers, duration, engineSeconds } = await transcribeDialogue(
      dialogue,
      engine,
      auxiliaryModels,
      signal,
    );
    const isKnownLanguage = model.languages === 'any' || model.languages.includes(dialogue.language);
    const script = dialogue.turns.map((turn) => turn.text).join(' ');
    const wordsRight = isKnownLanguage ? computeWordAccuracy(script, text) : null;
    return {
      problem: wordsRight === null ? null : findProblem(wordsRight, minWordsRight),
      wordsRight,
      speakersRight: computeSpeakerAccuracy(dialogue.turns, speakers),
      speed: duration / engineSeconds,
      memoryBytes: engine.peakMemoryBytes,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EngineFailedError || error instanceof EngineUnavailableError)) throw error;
    const problem = `it failed: ${describeError(error)}`;
    return { problem, wordsRight: null, speakersRight: null, speed: null, memoryBytes: null };
  } finally {
    await engine.close();
  }
}

function findProblem(wordsRight: number, minWordsRight: number): string | null {
  if (wordsRight >= minWordsRight) return null;
  return `it got ${toPercent(wordsRight)} of the words of the bundled dialogue right, and should get ${toPercent(minWordsRight)}`;
}

function toPercent(share: number): string {
  // Rounded down, so that a share below a bound never looks like the bound.
  return `${Math.floor(share * 100)} %`;
}
