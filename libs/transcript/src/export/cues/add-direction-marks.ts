import { LEFT_TO_RIGHT_MARK, RIGHT_TO_LEFT_MARK, startsRightToLeft } from '../text-direction.js';
import type { Cue } from './cue.js';

/**
 * The lines of a cue with marks that make players set them in its direction. Most go by the first letter of a line, some
 * set all from left to right: there the second mark keeps the full stop at the end of what is read.
 */
export function addDirectionMarks({ lines, rightToLeft }: Cue): string[] {
  return lines.map((line) => {
    if (rightToLeft) return `${RIGHT_TO_LEFT_MARK}${line}${RIGHT_TO_LEFT_MARK}`;
    return startsRightToLeft(line) ? `${LEFT_TO_RIGHT_MARK}${line}` : line;
  });
}
