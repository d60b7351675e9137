import { sanitizeToSingleLine } from '../../text/sanitize-to-single-line.js';
import { UNKNOWN_SPEAKER } from '../unknown-speaker.js';
import type { CaptionLayout } from './caption-layout.js';
import { computeDisplayWidth, type CueToken, toCueToken } from './cue-token.js';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A shorter part of a name does not say who speaks. */
const MIN_NAME_COLUMNS = 4;

/** Tokens with the name of their speaker in front; null if there is none, or hardly room for it beside the first word. */
export function addSpeakerLabel(
  speaker: string | null,
  previousSpeaker: string | null,
  [first, ...others]: readonly CueToken[],
  layout: CaptionLayout,
): CueToken[] | null {
  const name = sanitizeToSingleLine(speaker ?? (previousSpeaker === null ? '' : UNKNOWN_SPEAKER));
  if (!first || name === '') return null;
  const columns = countNameColumns(first, layout);
  if (columns < Math.min(MIN_NAME_COLUMNS, computeDisplayWidth(name))) return null;
  const label = toCueToken(
    { text: fitLabel(name, columns), start: first.start, end: first.start },
    undefined,
  );
  return [{ ...label, isLabel: true }, { ...first, startsSegment: false, hasSpaceBefore: true }, ...others];
}

/** Without the colon. On a single line, words find room beside the name. */
function countNameColumns(firstWord: CueToken, { lineColumns, maxLines }: CaptionLayout): number {
  if (maxLines > 1) return lineColumns - 1;
  const besideFirstWord = lineColumns - 2 - firstWord.width;
  return Math.min(besideFirstWord, Math.max(MIN_NAME_COLUMNS, Math.floor(lineColumns / 2)));
}

/** Truncates names that are wider. */
function fitLabel(name: string, columns: number): string {
  if (computeDisplayWidth(name) <= columns) return `${name}:`;
  let fitting = '';
  for (const { segment } of GRAPHEMES.segment(name)) {
    if (computeDisplayWidth(fitting + segment) >= columns) break;
    fitting += segment;
  }
  return `${fitting.trimEnd()}…:`;
}
