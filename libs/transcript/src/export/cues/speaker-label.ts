import { sanitizeToSingleLine } from '../../text/sanitize-to-single-line.js';
import { UNKNOWN_SPEAKER } from '../unknown-speaker.js';
import type { CaptionLayout } from './caption-layout.js';
import { computeDisplayWidth, type CueToken, toCueToken } from './cue-token.js';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Tokens with the name of their speaker in front; null if there is none, or no room for it beside the first word. */
export function addSpeakerLabel(
  speaker: string | null,
  previousSpeaker: string | null,
  [first, ...others]: readonly CueToken[],
  layout: CaptionLayout,
): CueToken[] | null {
  const name = sanitizeToSingleLine(speaker ?? (previousSpeaker === null ? '' : UNKNOWN_SPEAKER));
  if (!first || name === '') return null;
  const { lineColumns, maxLines } = layout;
  const label = toCueToken(
    { text: fitLabel(name, lineColumns - 1), start: first.start, end: first.start },
    undefined,
  );
  if (maxLines === 1 && label.width + 1 + first.width > lineColumns) return null;
  return [{ ...label, isLabel: true }, { ...first, startsSegment: false, hasSpaceBefore: true }, ...others];
}

/** Truncates names that are wider than a line. */
function fitLabel(name: string, columns: number): string {
  if (computeDisplayWidth(name) <= columns) return `${name}:`;
  let fitting = '';
  for (const { segment } of GRAPHEMES.segment(name)) {
    if (computeDisplayWidth(fitting + segment) >= columns) break;
    fitting += segment;
  }
  return `${fitting.trimEnd()}…:`;
}
