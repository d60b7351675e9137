import { readWav } from '../wav/wav.js';

/** One word as an engine heard it; seconds from the start of the chunk. */
export interface RecognizedWord {
  text: string;
  start: number;
  end: number;
  /** 0 to 1, or null where the engine gives none. Never invented. */
  confidence: number | null;
  /** BCP 47 tag where the engine decides per word or region, else null. */
  language: string | null;
}

/** What an engine was given: 16 kHz mono 16-bit PCM in a WAV file that only this call reads. */
export interface ChunkAudio {
  path: string;
  /** Seconds. */
  duration: number;
}

export interface EngineOptions {
  /** Terms to bias towards; empty when there are none. */
  vocabulary: string[];
  /** Aborting ends the engine's work, its processes included. */
  signal: AbortSignal;
}

export interface EngineResult {
  words: RecognizedWord[];
  /** BCP 47 tag of the chunk, null when unknown. */
  language: string | null;
  /** How many of the given terms the engine cannot listen for; none when left out. */
  unusedTerms?: number;
  /** True when times of words are estimated from those of longer stretches, as the engine gives no others. */
  timesEstimated?: boolean;
  /** How many words were left out because the engine's own figures speak against them; none when left out. */
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

/** Turns one chunk of audio into words. Adapters pass the suite in `engine.contract.ts`. */
export interface SpeechEngine {
  readonly capabilities: EngineCapabilities;
  identity(): Promise<EngineIdentity>;
  /**
   * Begins with what it takes to listen for these terms, or for none, before there is sound to hear, for an engine to
   * which that makes a difference. It never fails: what it could not do, `transcribe` does.
   */
  prepareFor?(terms: readonly string[]): void;
  transcribe(audio: ChunkAudio, options: EngineOptions): Promise<EngineResult>;
  /** Resolves when the engine can work; throws `EngineUnavailableError` telling what to install. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The engine cannot work now, whatever it is given: here, or where its server is. The message tells what to do about it. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';

  constructor(
    readonly engine: string,
    advice: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} cannot work: ${advice}`, options);
  }
}

/** The engine did not get through this chunk; trying again may help. The cause is for the log only. */
export class EngineFailedError extends Error {
  override readonly name = 'EngineFailedError';

  constructor(
    readonly engine: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The speech engine ${engine} failed on a chunk.`, options);
  }
}

/** The chunk given to the engine is no readable 16 kHz mono 16-bit WAV file; trying again does not help. */
export class UnreadableChunkError extends Error {
  override readonly name = 'UnreadableChunkError';

  constructor(options: { cause?: unknown } = {}) {
    super('The chunk of audio cannot be read.', options);
  }
}

/** The samples of a chunk. Throws `UnreadableChunkError`. */
export async function readChunk(path: string, signal: AbortSignal): Promise<Int16Array> {
  return readWav(path, signal).catch((error: unknown) => {
    throw new UnreadableChunkError({ cause: error });
  });
}
