import { LEFT_TO_RIGHT_MARK, RIGHT_TO_LEFT_MARK, startsRightToLeft } from '../text-direction.js';

/** Cues are in order, not overlapping and not empty. */
export interface Cue {
  /** Whole milliseconds; `start < end`. */
  start: number;
  end: number;
  /** One or two lines without markup, not escaped. */
  lines: string[];
  speaker: string | null;
  rightToLeft: boolean;
}

/**
 * Adds marks that make players display lines in the direction of the cue. Most players use the first letter of a line. Some
 * display everything from left to right: there the second mark keeps the full stop at the end.
 */
export function listLinesWithDirectionMarks({ lines, rightToLeft }: Cue): string[] {
  return lines.map((line) => {
    if (rightToLeft) return `${RIGHT_TO_LEFT_MARK}${line}${RIGHT_TO_LEFT_MARK}`;
    return startsRightToLeft(line) ? `${LEFT_TO_RIGHT_MARK}${line}` : line;
  });
}
