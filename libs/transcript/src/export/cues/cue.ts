/** One subtitle. Cues are in order, never overlap and never are empty. */
export interface Cue {
  /** Whole milliseconds; `start < end`. */
  start: number;
  end: number;
  /** One or two lines without markup, not escaped. */
  lines: string[];
  speaker: string | null;
  /** Whether what is said reads from right to left. */
  rightToLeft: boolean;
}
