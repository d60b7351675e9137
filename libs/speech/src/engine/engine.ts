import { readWav } from '../wav/wav.js';
import type { PhraseSpacing } from './phrase-spaces.js';

/** Seconds from the start of the chunk. */
export interface TimeSpan {
  start: number;
  end: number;
}

/** Times in seconds from the start of the chunk. */
export interface RecognizedWord extends PhraseSpacing {
  text: string;
  start: number;
  end: number;
  /** 0 to 1; null if the engine reports none. */
  confidence: number | null;
  /** The confidence is that of the segment around the word. Absent for a confidence of the word itself. */
  confidenceOf?: 'segment';
  /** BCP 47 tag if the engine detects the language per word or segment, else null. */
  language: string | null;
  /** The times are not measured: the word is somewhere in this span. Absent for measured times. */
  estimatedWithin?: TimeSpan;
}

export type RecognizedWordWithoutLanguage = Omit<RecognizedWord, 'language'>;

/** A 16 kHz mono 16-bit PCM WAV file that only this call reads. */
export interface ChunkFile {
  path: string;
  /** Seconds. */
  duration: number;
  /** Absent if it was not detected before the engine. */
  speech?: DetectedSpeech;
}

export interface DetectedSpeech {
  /** `model`: a voice activity model, which also hears speech in noise. `level`: loudness, which may miss it. */
  detector: 'model' | 'level';
  /** In order, not overlapping. */
  spans: readonly TimeSpan[];
}

export interface RecognitionOptions {
  /** Terms to boost; may be empty. */
  vocabulary: string[];
  signal: AbortSignal;
}

export interface ChunkTranscription {
  words: RecognizedWord[];
  /** BCP 47 tag of the chunk; null when unknown. */
  language: string | null;
  /** How many of the terms the engine cannot use; 0 by default. */
  unusedTerms?: number;
  /** Languages of the words if terms are searched for in none of them; null for an unknown one. */
  languagesWithoutVocabulary?: (string | null)[];
  /** True when word times are interpolated within longer segments. */
  timesEstimated?: boolean;
  /** How many words were dropped because of the engine's own confidence values; 0 by default. */
  doubtedWords?: number;
}

export interface EngineCapabilities {
  /** BCP 47 tags, or `any`. */
  languages: string[] | 'any';
  wordTimes: boolean;
  punctuation: boolean;
  vocabulary: boolean;
}

export interface EngineIdentity {
  name: string;
  model: string | null;
  version: string | null;
}

/** Adapters must pass `engine.contract.ts`. */
export interface SpeechEngine {
  readonly capabilities: EngineCapabilities;
  /** The engine works on this much audio at a time, so shorter chunks are joined up to it; absent if they are not to be joined. May change. */
  readonly packedSeconds?: number | undefined;
  identity(): Promise<EngineIdentity>;
  /** Loads models for these terms ahead of the first `transcribe`. Never fails. */
  warmUp?(terms: readonly string[]): void;
  transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription>;
  /** @throws EngineUnavailableError that names what to install */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Concerns every chunk. The message is for the operator. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
  /** It was in service until it got the chunk, which may have ended it. */
  readonly isChunkSuspected: boolean;

  constructor(
    readonly engine: string,
    advice: string,
    { isChunkSuspected = false, ...options }: { cause?: unknown; isChunkSuspected?: boolean } = {},
  ) {
    super(`The speech engine ${engine} is unavailable: ${advice}`, options);
    this.isChunkSuspected = isChunkSuspected;
  }
}

interface ChunkErrorOptions {
  /** For the log only. */
  cause?: unknown;
  /** Part of the message, which operators see. */
  detail?: string;
}

/** Concerns this chunk; retryable. */
export class EngineFailedError extends Error {
  override readonly name = 'EngineFailedError';

  constructor(
    readonly engine: string,
    { cause, detail }: ChunkErrorOptions = {},
  ) {
    super(withDetail(`The speech engine ${engine} failed on a chunk`, detail), { cause });
  }
}

/** Not retryable. */
export class UnreadableChunkError extends Error {
  override readonly name = 'UnreadableChunkError';

  constructor({ cause, detail }: ChunkErrorOptions = {}) {
    super(withDetail('The chunk of audio cannot be read', detail), { cause });
  }
}

function withDetail(problem: string, detail: string | undefined): string {
  return detail === undefined ? `${problem}.` : `${problem}: ${detail}`;
}

/** @throws UnreadableChunkError */
export async function readChunkSamples(path: string, signal: AbortSignal): Promise<Int16Array> {
  return readWav(path, signal).catch((error: unknown) => {
    throw new UnreadableChunkError({ cause: error });
  });
}
