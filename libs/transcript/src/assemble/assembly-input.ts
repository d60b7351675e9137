import type { RedactionKind } from '../redact/redaction-kinds.js';
import type { PunctuationMark } from '../sentences/punctuation-marks.js';
import type { TranscriptDocument, TranscriptWarning } from '../transcript-document.js';

/** Times in seconds from the start of the chunk. */
export interface ChunkWord {
  text: string;
  start: number;
  end: number;
  /** 0 to 1; null if the engine reports none. */
  confidence: number | null;
  /** BCP 47; null if the engine detects one language per chunk. */
  language: string | null;
  /** The times are not measured; absent if they are. */
  estimated?: true;
  /** The word follows a space between phrases of a script that has none between words; absent for other words. */
  spaceBefore?: true | undefined;
  /** Predicted by a punctuation model, null for none; absent without a prediction. */
  mark?: PunctuationMark | null;
}

/** `start` and `end` are seconds from the start of the file; chunks of one channel do not overlap. */
export interface TranscribedChunk {
  index: number;
  start: number;
  end: number;
  language: string | null;
  /** From 1, if the channels of the file were transcribed apart. */
  channel?: number | undefined;
  words: readonly ChunkWord[];
  /** Seconds from the start of the chunk, in order; absent without voice activity detection. */
  speech?: readonly { start: number; end: number }[] | undefined;
}

/** Seconds from the start of the file. Turns may overlap and be in any order. */
export interface SpeakerTurn {
  /** Any label, of its channel; the transcript numbers speakers anew. */
  speaker: number | string;
  /** From 1, if the channels of the file were transcribed apart. */
  channel?: number | undefined;
  start: number;
  end: number;
}

export interface AssemblyOptions {
  word_timestamps: boolean;
  speaker_labels: boolean;
  /** Punctuation and sentences. */
  nltk: boolean;
  /** False leaves out hesitations; true by default. */
  filler_words?: boolean;
  /** What to replace by marks; nothing by default. */
  redact?: readonly RedactionKind[] | null;
  /** Other options are copied into the document. */
  [option: string]: unknown;
}

export interface AssemblyInputWithoutChunks {
  jobId: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  model: string;
  engine: TranscriptDocument['engine'];
  /** Seconds. */
  duration: number;
  options: AssemblyOptions;
  /** Credits charged for the job; null if not known. */
  credits: number | null;
  /** True if the engine writes capitals and punctuation. */
  punctuated: boolean;
  /** Null if there are no speaker turns. */
  turns: readonly SpeakerTurn[] | null;
  warnings: readonly TranscriptWarning[];
}

export interface AssemblyInput extends AssemblyInputWithoutChunks {
  /** Chunks in any order. If several have the same index, the first counts. */
  chunks: readonly TranscribedChunk[];
}
