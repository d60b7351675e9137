/** Types of `library.mjs` for programs in TypeScript. */
export interface DialogueRequest {
  /** 3 to 14400. */
  seconds: number;
  voices: 1 | 2 | 3 | 4;
  /** An integer; equal seeds yield equal dialogues. */
  seed: number;
}
export interface Turn {
  speaker: string;
  /** The voice that flite used. */
  voice: string;
  text: string;
  /** In seconds, exact to the sample. */
  start: number;
  end: number;
}
export interface Dialogue {
  /** A cached 16 kHz mono WAV file; do not change it. */
  path: string;
  turns: Turn[];
  /** Seconds, as requested. */
  duration: number;
}
export type Format = 'mp3' | 'opus' | 'flac' | 'm4a' | 'telephone' | 'studio' | 'surround' | 'video';
export const FORMAT_NAMES: readonly Format[];
export function makeDialogue(request: DialogueRequest): Promise<Dialogue>;
export function makeSilence(seconds: number): Promise<string>;
export function makeTone(seconds: number, options?: { hertz?: number; level?: number }): Promise<string>;
export function makeNoise(seconds: number, options?: { level?: number }): Promise<string>;
export function convertFormat(path: string, format: Format): Promise<string>;
export function truncateCopy(path: string, share?: number): Promise<string>;
export const MADE_UP_NAMES: readonly string[];
/** A name in a sentence, `{}` in its place. */
export interface NameInSentence {
  term: string;
  text: string;
  /** Of espeak-ng, which says the name. */
  voice: string;
  isHeldOut: boolean;
}
export interface MisheardTranscript {
  term: string;
  misheard: string;
  isHeldOut: boolean;
  /** Of the sentence, without the name. */
  ordinaryWords: string[];
  transcription: {
    language: string;
    words: { text: string; start: number; end: number; confidence: number | null; language: null }[];
  };
}
export const MISHEARD_LANGUAGES: readonly string[];
export function listNamesInSentences(language: string): NameInSentence[];
export function makeMisheardTranscripts(
  language: string,
  options: { hasConfidence: boolean; seeds: readonly number[] },
): Promise<MisheardTranscript[]>;
export function compareWithSpoken(
  transcript: MisheardTranscript,
  words: readonly { text: string }[],
): { isRight: boolean; changedWords: string[] };
