/**
 * The transcript document: the `json` output, and the one source of every other rendering.
 * Times are seconds with at most three decimals on the clock of the original file.
 * What is not known is `null`, never absent.
 */
export interface TranscriptDocument {
  job_id: string;
  schema_version: '1.0';
  /** ISO 8601, UTC. */
  created_at: string;
  /** The public model name, `zephyr`. */
  model: string;
  engine: { name: string; model: string | null; version: string | null };
  duration: number;
  language: string | null;
  languages: string[];
  /** 0 to 1, mean over words by duration; null when the engine gives none. */
  confidence: number | null;
  text: string;
  speakers: TranscriptSpeaker[];
  segments: TranscriptSegment[];
  warnings: TranscriptWarning[];
  options: Record<string, unknown>;
  usage: { seconds: number };
}

export interface TranscriptSpeaker {
  /** `SPEAKER_1`, `SPEAKER_2`, … dense, by first appearance in the words. */
  id: string;
  /** What the account calls this voice, in one line of clean text; null while it has no name. */
  name: string | null;
  /** Seconds in which this voice talks, pauses between its turns not counted. */
  duration: number;
}

/** A sentence, or an utterance between pauses; one speaker, one language. In order, never overlapping. */
export interface TranscriptSegment {
  /** The place in `segments`, from 0. */
  id: number;
  start: number;
  end: number;
  text: string;
  language: string | null;
  speaker: string | null;
  confidence: number | null;
  /** null when `word_timestamps` is false. */
  words: TranscriptWord[] | null;
}

export interface TranscriptWord {
  /** With the capitals and marks it has in the segment's text: the words, joined, are that text. */
  word: string;
  start: number;
  end: number;
  confidence: number | null;
  speaker: string | null;
}

export interface TranscriptWarning {
  /** Stable machine name, such as `speakers_unavailable`. */
  code: string;
  message: string;
  /** The segment it is about, null when it is about the whole file. */
  segment_id: number | null;
}
