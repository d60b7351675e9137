import type { TranscriptDocument, TranscriptSegment } from '../../transcript-document.js';
import { replaceLabelsWithNames } from '../../speakers/speaker-names.js';
import { cleanText } from '../../text/clean-text.js';
import { needsSpaceBetween } from '../../text/join-words.js';
import { isRightToLeft } from '../text-direction.js';
import { chooseCueBreaks, assignCueTimes } from './choose-cue-breaks.js';
import type { Cue } from './cue.js';
import { breakLines, LINE_COLUMNS } from './break-lines.js';
import { computeDisplayWidth, type CueToken, toCueToken, toCueTokens } from './cue-token.js';

export interface CueOptions {
  /** For formats without voice tags. */
  hasSpeakerLabels: boolean;
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

/** Subtitles of at most two lines of 42 columns, 1 to 7 s long if the speech allows. */
export function buildCues(document: TranscriptDocument, { hasSpeakerLabels: labels }: CueOptions): Cue[] {
  const runs = groupBySpeaker(replaceLabelsWithNames(document), labels);
  const drafts = runs.flatMap((run, index) => {
    const { tokens } = run;
    const until = runs[index + 1]?.tokens[0]?.start ?? document.duration;
    const ends = chooseCueBreaks(tokens, until);
    return ends.map((end, at) => toDraftCue(tokens.slice(ends[at - 1] ?? 0, end), run));
  });
  return assignCueTimes(drafts, document.duration);
}

function groupBySpeaker(segments: readonly TranscriptSegment[], labels: boolean): SpeakerRun[] {
  const runs: SpeakerRun[] = [];
  for (const segment of segments) {
    const tokens = toCueTokens(segment);
    const [first] = tokens;
    if (!first) continue;
    const current = runs.at(-1);
    if (current && continuesRun(current, segment, first)) appendTokens(current.tokens, tokens, first);
    else runs.push(startRun(segment, tokens, first, labels && current?.speaker !== segment.speaker));
  }
  return runs;
}

function continuesRun(run: SpeakerRun, { speaker, language }: TranscriptSegment, first: CueToken): boolean {
  const end = run.tokens.at(-1)?.end ?? 0;
  return run.speaker === speaker && run.language === language && first.start - end < MAX_GAP_SECONDS;
}

function appendTokens(to: CueToken[], tokens: readonly CueToken[], first: CueToken): void {
  const before = to.at(-1);
  to.push({ ...first, hasSpaceBefore: before !== undefined && needsSpaceBetween(before.text, first.text) });
  for (const piece of tokens.slice(1)) to.push(piece);
}

function startRun(
  segment: TranscriptSegment,
  tokens: CueToken[],
  first: CueToken,
  labelled: boolean,
): SpeakerRun {
  const { speaker, language } = segment;
  const name = labelled && speaker !== null ? cleanText(speaker) : '';
  if (name === '') return { speaker, language, label: null, tokens };
  const label = toCueToken({ text: fitLabel(name), start: first.start, end: first.start }, undefined);
  const spoken = { ...first, startsSegment: false, hasSpaceBefore: true };
  return { speaker, language, label, tokens: [label, spoken, ...tokens.slice(1)] };
}

/** Truncates names that are wider than a line: a label alone in a cue would have no duration. */
function fitLabel(name: string): string {
  const columns = LINE_COLUMNS - 1;
  if (computeDisplayWidth(name) <= columns) return `${name}:`;
  let fitting = '';
  for (const { segment } of GRAPHEMES.segment(name)) {
    if (computeDisplayWidth(fitting + segment) >= columns) break;
    fitting += segment;
  }
  return `${fitting.trimEnd()}…:`;
}

function toDraftCue(tokens: readonly CueToken[], { speaker, language, label }: SpeakerRun): Cue {
  const spoken = tokens.filter((piece) => piece !== label).map(({ text }) => text);
  return {
    start: tokens[0]?.start ?? 0,
    end: tokens.at(-1)?.end ?? 0,
    lines: breakLines(tokens),
    speaker,
    rightToLeft: isRightToLeft(spoken.join(' '), language),
  };
}
