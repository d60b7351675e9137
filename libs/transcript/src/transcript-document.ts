import type { RedactionKind } from './redact/redaction-kinds.js';

export const SCHEMA_VERSION = '1.1';

/**
 * The `json` output, from which every other format is rendered. Times are seconds from the start of the file, with at most
 * three decimals. Unknown values are null, never absent.
 */
export interface TranscriptDocument {
  job_id: string;
  /** Fields may be added, which raises the number after the point. */
  schema_version: typeof SCHEMA_VERSION;
  /** ISO 8601, UTC. */
  created_at: string;
  /** The public model name, `zephyr`. */
  model: string;
  engine: { name: string; model: string | null; version: string | null };
  duration: number;
  language: string | null;
  languages: string[];
  /** 0 to 1: mean of the words, weighted by duration; null if the engine reports none. */
  confidence: number | null;
  text: string;
  speakers: TranscriptSpeaker[];
  segments: TranscriptSegment[];
  /** Empty without speaker labels. */
  turns: TranscriptTurn[];
  paragraphs: TranscriptParagraph[];
  warnings: TranscriptWarning[];
  options: Record<string, unknown>;
  usage: TranscriptUsage;
}

export interface TranscriptUsage {
  /** Equals `duration`. */
  seconds: number;
  /** Credits charged for the job; null if its charge is not known. */
  credits: number | null;
}

export interface TranscriptSpeaker {
  /** `SPEAKER_1`, `SPEAKER_2`, … dense, by first appearance in the words. */
  id: string;
  /** The name that the account has set, one line of clean text; null without one. */
  name: string | null;
  /** Seconds of speech, without the pauses between turns. */
  duration: number;
  /** The channel on which the speaker was recorded, from 1; null if the channels were not transcribed apart. */
  channel: number | null;
}

/**
 * A sentence, or an utterance between pauses; one speaker, one language. In order of their start. Segments of one channel
 * never overlap.
 */
export interface TranscriptSegment {
  /** Index in `segments`, from 0. */
  id: number;
  start: number;
  end: number;
  text: string;
  language: string | null;
  speaker: string | null;
  /** From 1; null if the channels were not transcribed apart. */
  channel: number | null;
  confidence: number | null;
  /** null when `word_timestamps` is false. */
  words: TranscriptWord[] | null;
}

export interface TranscriptWord {
  /** With capitals and punctuation. The segment's text has the words in order, and the spaces between them. */
  word: string;
  start: number;
  end: number;
  confidence: number | null;
  speaker: string | null;
  /** From 1; null if the channels were not transcribed apart. */
  channel: number | null;
  language: string | null;
  /** True if the engine gave no times for the word, and the service estimated them. */
  estimated: boolean;
  /** What the word stands for, such as `email`; null for a word that was not redacted. */
  redacted: RedactionKind | null;
}

/** Consecutive segments. */
interface SegmentRange {
  start: number;
  end: number;
  text: string;
  speaker: string | null;
  /** `id` of its first and last segment. */
  first_segment: number;
  last_segment: number;
}

/** What one speaker says until another one speaks. */
export type TranscriptTurn = SegmentRange;

/** Sentences of one speaker and language without a long pause. */
export interface TranscriptParagraph extends SegmentRange {
  language: string | null;
}

export interface TranscriptWarning {
  /** Stable machine name, such as `speakers_unavailable`. */
  code: string;
  message: string;
  /** Null for the whole file. */
  segment_id: number | null;
}
