import { describeError } from '@app/errors';
import type { AuxiliaryModels } from '../../auxiliary-models/auxiliary-models.js';
import { AuxiliaryModelError } from '../../auxiliary-models/sherpa-model.js';
import { decodeWav } from '../../wav/wav.js';
import { chunkAudioToSink } from '../../chunking/chunk-audio.js';
import type { SpeechSpan } from '../../chunking/speech-timeline.js';
import { type InstalledModel, InvalidModelError, type ModelKind } from '../installed-model.js';
import { type DialogueTurn, computeSpeakerAccuracy } from './compute-speaker-accuracy.js';
import type { ModelCheckResult } from './model-check.js';
import { type ReferenceDialogue, transcribeDialogue } from './transcribe-dialogue.js';

/** Wide, as for recognisers: two speakers by chance are half right. */
const MIN_SPEAKERS_RIGHT = 0.65;
const MIN_SPEECH_FOUND = 0.7;

const NOTHING_MEASURED = { wordsRight: null, speakersRight: null, speed: null, memoryBytes: null };

type Measured = Pick<ModelCheckResult, 'problem'> & Partial<ModelCheckResult>;

export interface AuxiliaryModelCheckOptions {
  dialogue: ReferenceDialogue;
  /** The model under check, and the installed models of the other kinds. */
  auxiliaryModels: AuxiliaryModels;
  signal: AbortSignal;
}

/**
 * Lets the model do its work on the dialogue. A model that fails is a result, not an error.
 * @returns null if the model is not used without another one that is missing
 * @throws errors of the recording; the reason of the signal
 */
export async function checkAuxiliaryModel(
  { kind }: Pick<InstalledModel, 'kind'>,
  options: AuxiliaryModelCheckOptions,
): Promise<ModelCheckResult | null> {
  try {
    const measured = await CHECKS[kind](options);
    return measured && { ...NOTHING_MEASURED, ...measured };
  } catch (error) {
    options.signal.throwIfAborted();
    if (!(error instanceof AuxiliaryModelError || error instanceof InvalidModelError)) throw error;
    return { ...NOTHING_MEASURED, problem: `it failed: ${describeError(error)}` };
  }
}

const CHECKS: Record<ModelKind, (options: AuxiliaryModelCheckOptions) => Promise<Measured | null>> = {
  recognizer: async () => null,
  'voice-activity': checkSpeechDetector,
  segmentation: checkSpeakerModels,
  embedding: checkSpeakerModels,
  punctuation: checkPunctuator,
  language: checkLanguageIdentifier,
};

async function checkSpeechDetector({ dialogue, auxiliaryModels, signal }: AuxiliaryModelCheckOptions) {
  const { speechDetector } = auxiliaryModels;
  const spans: SpeechSpan[] = [];
  const { duration } = await chunkAudioToSink(
    { path: dialogue.path, speechDetector, signal },
    async (chunk) => {
      spans.push(
        ...chunk.speech.map(({ start, end }) => ({ start: chunk.start + start, end: chunk.start + end })),
      );
    },
  );
  const spoken = sumSeconds(dialogue.turns);
  const found = measureOverlap(dialogue.turns, spans) / spoken;
  // All of the file would be as wrong as nothing.
  const silence = 1 - (sumSeconds(spans) - found * spoken) / Math.max(1, duration - spoken);
  if (found >= MIN_SPEECH_FOUND && silence > 0) return { problem: null };
  return { problem: `it found ${Math.floor(found * 100)} % of the speech of the bundled dialogue` };
}

async function checkSpeakerModels({ dialogue, auxiliaryModels, signal }: AuxiliaryModelCheckOptions) {
  const { speakerFeatureExtractor } = auxiliaryModels;
  if (!speakerFeatureExtractor) return null;
  const engine = { transcribe: async () => ({ words: [], language: null }) };
  const models = { speechDetector: null, speakerFeatureExtractor };
  const { speakers } = await transcribeDialogue(dialogue, engine, models, signal);
  const speakersRight = computeSpeakerAccuracy(dialogue.turns, speakers);
  const share = `${Math.floor(speakersRight * 100)} %`;
  const problem = `with the models of speakers, ${share} of the bundled dialogue had the right speaker`;
  return { speakersRight, problem: speakersRight >= MIN_SPEAKERS_RIGHT ? null : problem };
}

async function checkPunctuator({ dialogue, auxiliaryModels, signal }: AuxiliaryModelCheckOptions) {
  const script = dialogue.turns.map(({ text }) => text).join(' ');
  const texts = script.toLowerCase().match(/[a-z']+/g) ?? [];
  const words = texts.map((text, index) => ({
    text,
    start: index,
    end: index + 1,
    language: dialogue.language,
  }));
  const marks = (await auxiliaryModels.punctuator?.predictMarks(words, signal)) ?? [];
  return { problem: marks.some(Boolean) ? null : 'it set no mark in the text of the bundled dialogue' };
}

async function checkLanguageIdentifier({ dialogue, auxiliaryModels, signal }: AuxiliaryModelCheckOptions) {
  const languages: (string | null)[] = [];
  await chunkAudioToSink({ path: dialogue.path, signal }, async ({ wav }) => {
    languages.push((await auxiliaryModels.languageIdentifier?.identify(decodeWav(wav), signal)) ?? null);
  });
  const wrong = languages.filter((language) => language !== dialogue.language);
  const problem = `it took ${wrong.length} of ${languages.length} parts of the bundled English dialogue for another language`;
  return { problem: wrong.length * 2 > languages.length ? problem : null };
}

function sumSeconds(spans: readonly SpeechSpan[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

function measureOverlap(turns: readonly DialogueTurn[], spans: readonly SpeechSpan[]): number {
  const overlaps = turns.flatMap((turn) =>
    spans.map(({ start, end }) => Math.max(0, Math.min(turn.end, end) - Math.max(turn.start, start))),
  );
  return overlaps.reduce((sum, seconds) => sum + seconds, 0);
}
