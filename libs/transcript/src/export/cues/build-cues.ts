import type { TranscriptDocument, TranscriptSegment } from '../../transcript-document.js';
import { withNamedSpeakers } from '../../speakers/speaker-names.js';
import { cleanText } from '../../text/clean-text.js';
import { needsSpaceBetween } from '../../text/join-words.js';
import { isRightToLeft } from '../text-direction.js';
import { chooseCueBreaks } from './choose-cue-breaks.js';
import type { Cue } from './cue.js';
import { breakLines } from './break-lines.js';
import { LINE_COLUMNS } from './line-widths.js';
import { displayWidth, type CueToken, toCueToken, toCueTokens } from './cue-token.js';
import { assignCueTimes } from './assign-cue-times.js';

export interface CueOptions {
  /** Writes `SPEAKER_1:` into the text where the voice changes, for formats without a notion of voices. */
  labels: boolean;
}

interface SpeakerRun {
  speaker: string | null;
  language: string | null;
  /** The first of the pieces, where it is not spoken. */
  label: CueToken | null;
  tokens: CueToken[];
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Seconds between two segments of a voice that keep them from sharing a cue. */
const MAX_GAP_SECONDS = 1.5;

/** The transcript as subtitles of at most two lines of 42 columns, 1 to 7 s where the speech allows. */
export function buildCues(document: TranscriptDocument, { labels }: CueOptions): Cue[] {
  const voices = groupBySpeaker(withNamedSpeakers(document), labels);
  const drafts = voices.flatMap((voice, index) => {
    const { tokens: pieces } = voice;
    const until = voices[index + 1]?.tokens[0]?.start ?? document.duration;
    const ends = chooseCueBreaks(pieces, until);
    return ends.map((end, at) => toDraftCue(pieces.slice(ends[at - 1] ?? 0, end), voice));
  });
  return assignCueTimes(drafts, document.duration);
}

function groupBySpeaker(segments: readonly TranscriptSegment[], labels: boolean): SpeakerRun[] {
  const voices: SpeakerRun[] = [];
  for (const segment of segments) {
    const pieces = toCueTokens(segment);
    const [first] = pieces;
    if (!first) continue;
    const current = voices.at(-1);
    if (current && continuesRun(current, segment, first)) appendTokens(current.tokens, pieces, first);
    else voices.push(startRun(segment, pieces, first, labels && current?.speaker !== segment.speaker));
  }
  return voices;
}

function continuesRun(voice: SpeakerRun, { speaker, language }: TranscriptSegment, first: CueToken): boolean {
  const end = voice.tokens.at(-1)?.end ?? 0;
  return voice.speaker === speaker && voice.language === language && first.start - end < MAX_GAP_SECONDS;
}

/** The first word of a segment has no word before it until the segment follows another. */
function appendTokens(to: CueToken[], pieces: readonly CueToken[], first: CueToken): void {
  const before = to.at(-1);
  to.push({ ...first, hasSpaceBefore: before !== undefined && needsSpaceBetween(before.text, first.text) });
  for (const piece of pieces.slice(1)) to.push(piece);
}

function startRun(
  segment: TranscriptSegment,
  pieces: CueToken[],
  first: CueToken,
  labelled: boolean,
): SpeakerRun {
  const { speaker, language } = segment;
  const name = labelled && speaker !== null ? cleanText(speaker) : '';
  if (name === '') return { speaker, language, label: null, tokens: pieces };
  const label = toCueToken({ text: fitLabel(name), start: first.start, end: first.start }, undefined);
  const spoken = { ...first, startsSegment: false, hasSpaceBefore: true };
  return { speaker, language, label, tokens: [label, spoken, ...pieces.slice(1)] };
}

/** A name that is wider than a line is cut short: a label alone in a cue would be seen for no time at all. */
function fitLabel(name: string): string {
  const room = LINE_COLUMNS - 1;
  if (displayWidth(name) <= room) return `${name}:`;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(name)) {
    if (displayWidth(kept + segment) >= room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…:`;
}

function toDraftCue(pieces: readonly CueToken[], { speaker, language, label }: SpeakerRun): Cue {
  const spoken = pieces.filter((piece) => piece !== label).map(({ text }) => text);
  return {
    start: pieces[0]?.start ?? 0,
    end: pieces.at(-1)?.end ?? 0,
    lines: breakLines(pieces),
    speaker,
    rightToLeft: isRightToLeft(spoken.join(' '), language),
  };
}
