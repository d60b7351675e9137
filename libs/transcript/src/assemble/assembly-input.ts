import type { PunctuationMark } from '../sentences/punctuation-marks.js';
import type { TranscriptDocument, TranscriptWarning } from '../transcript-document.js';

/** A word on its chunk's clock, in seconds. */
export interface ChunkWord {
  text: string;
  start: number;
  end: number;
  /** 0 to 1; null where the engine gives none. */
  confidence: number | null;
  /** BCP 47; null where the engine decides per chunk. */
  language: string | null;
  /** What a punctuation model sets after the word, null for nothing; left out where none has looked at it. */
  mark?: PunctuationMark | null;
}

/** What an engine made of one chunk. `start` and `end` are seconds on the file's clock; chunks do not overlap. */
export interface TranscribedChunk {
  index: number;
  start: number;
  end: number;
  language: string | null;
  words: readonly ChunkWord[];
  /** Where voice activity was found, seconds on the chunk's clock, in order; left out where nothing looked for it. */
  speech?: readonly { start: number; end: number }[] | undefined;
}

/** A stretch in which one voice speaks; seconds on the file's clock. Turns may overlap and come in any order. */
export interface SpeakerTurn {
  /** Any label; the transcript numbers speakers afresh. */
  speaker: number | string;
  start: number;
  end: number;
}

export interface AssemblyOptions {
  word_timestamps: boolean;
  speaker_labels: boolean;
  /** Punctuation and sentences. */
  nltk: boolean;
  /** Everything else is repeated in the document as it came. */
  [option: string]: unknown;
}

/** What is to be known of a file beside its words. */
export interface AssemblyContext {
  jobId: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  model: string;
  engine: TranscriptDocument['engine'];
  /** Seconds of audio. */
  duration: number;
  options: AssemblyOptions;
  /** True when the engine writes capitals and marks itself: they are left as they are. */
  punctuated: boolean;
  /** null when nobody could tell the voices apart. */
  turns: readonly SpeakerTurn[] | null;
  /** What earlier stages have to say. */
  warnings: readonly TranscriptWarning[];
}

export interface AssemblyInput extends AssemblyContext {
  /** In any order; of two with the same index the first counts. */
  chunks: readonly TranscribedChunk[];
}
