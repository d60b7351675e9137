import type { TranscriptDocument, TranscriptSegment } from '../../transcript-document.js';
import { buildSegmentsWithSpeakerNames } from '../../speakers/speaker-names.js';
import { sanitizeToSingleLine } from '../../text/sanitize-to-single-line.js';
import { needsSpaceBetweenSentences } from '../../text/join-words.js';
import { isRightToLeft } from '../text-direction.js';
import { chooseCueBreaks, extendCueTimesAndConvertToMillis } from './choose-cue-breaks.js';
import type { Cue } from './cue.js';
import { breakCaptionLines } from './break-caption-lines.js';
import { type CaptionLayout, DEFAULT_CAPTION_LAYOUT } from './caption-layout.js';
import { computeDisplayWidth, type CueToken, toCueToken, toCueTokens } from './cue-token.js';

export interface CueOptions {
  /** For formats without voice tags. */
  hasSpeakerLabels: boolean;
  layout?: CaptionLayout | undefined;
}

interface SpeakerRun {
  speaker: string | null;
  language: string | null;
  label: CueToken | null;
  tokens: CueToken[];
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Segments with a longer gap between them do not share a cue. */
const MAX_GAP_SECONDS = 1.5;

/** Subtitles of the layout, 1 to 7 s long if the speech allows. */
export function buildCues(
  document: TranscriptDocument,
  { hasSpeakerLabels, layout = DEFAULT_CAPTION_LAYOUT }: CueOptions,
): Cue[] {
  const runs = groupBySpeaker(buildSegmentsWithSpeakerNames(document), hasSpeakerLabels ? layout : null);
  const drafts = runs.flatMap((run, index) => {
    const { tokens } = run;
    const until = runs[index + 1]?.tokens[0]?.start ?? document.duration;
    const ends = chooseCueBreaks(tokens, until, layout);
    return ends.map((end, at) => toDraftCue(tokens.slice(ends[at - 1] ?? 0, end), run, layout));
  });
  // People on different channels may talk at once.
  return extendCueTimesAndConvertToMillis(
    drafts.sort((a, b) => a.start - b.start),
    document.duration,
  );
}

/** @param labelLayout null without labels */
function groupBySpeaker(
  segments: readonly TranscriptSegment[],
  labelLayout: CaptionLayout | null,
): SpeakerRun[] {
  const runs: SpeakerRun[] = [];
  for (const segment of segments) {
    const tokens = toCueTokens(segment);
    const [first] = tokens;
    if (!first) continue;
    const current = runs.at(-1);
    if (current && continuesRun(current, segment, first)) appendTokens(current.tokens, tokens, first);
    else
      runs.push(startRun(segment, tokens, first, current?.speaker === segment.speaker ? null : labelLayout));
  }
  return runs;
}

function continuesRun(run: SpeakerRun, { speaker, language }: TranscriptSegment, first: CueToken): boolean {
  const end = run.tokens.at(-1)?.end ?? 0;
  return run.speaker === speaker && run.language === language && first.start - end < MAX_GAP_SECONDS;
}

function appendTokens(to: CueToken[], tokens: readonly CueToken[], first: CueToken): void {
  const before = to.at(-1);
  to.push({
    ...first,
    hasSpaceBefore: before !== undefined && needsSpaceBetweenSentences(before.text, first.text),
  });
  for (const piece of tokens.slice(1)) to.push(piece);
}

function startRun(
  segment: TranscriptSegment,
  tokens: CueToken[],
  first: CueToken,
  labelLayout: CaptionLayout | null,
): SpeakerRun {
  const { speaker, language } = segment;
  const name = speaker === null ? '' : sanitizeToSingleLine(speaker);
  const label = labelLayout === null || name === '' ? null : buildLabel(name, first, labelLayout);
  if (label === null) return { speaker, language, label, tokens };
  const spoken = { ...first, startsSegment: false, hasSpaceBefore: true };
  return { speaker, language, label, tokens: [label, spoken, ...tokens.slice(1)] };
}

/** Null if it would be alone in its cue, which would have no duration. */
function buildLabel(
  name: string,
  { start, width }: CueToken,
  { lineColumns, maxLines }: CaptionLayout,
): CueToken | null {
  const label = toCueToken({ text: fitLabel(name, lineColumns - 1), start, end: start }, undefined);
  return maxLines === 1 && label.width + 1 + width > lineColumns ? null : label;
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

function toDraftCue(
  tokens: readonly CueToken[],
  { speaker, language, label }: SpeakerRun,
  layout: CaptionLayout,
): Cue {
  const spoken = tokens.filter((piece) => piece !== label).map(({ text }) => text);
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    lines: breakCaptionLines(tokens, layout),
    speaker,
    rightToLeft: isRightToLeft(spoken.join(' '), language),
  };
}
