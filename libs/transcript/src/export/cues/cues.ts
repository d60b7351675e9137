import type { TranscriptDocument, TranscriptSegment } from '../../document.js';
import { shownSegments } from '../../speakers/names.js';
import { cleanText } from '../../text/clean.js';
import { spaceBetween } from '../../text/join.js';
import { readsRightToLeft } from '../direction.js';
import { chooseBreaks } from './breaks.js';
import type { Cue } from './cue.js';
import { toLines } from './lines.js';
import { LINE_COLUMNS } from './ruler.js';
import { columns, type Piece, toPiece, toPieces } from './piece.js';
import { placeCues } from './timing.js';

export interface CueOptions {
  /** Writes `SPEAKER_1:` into the text where the voice changes, for formats without a notion of voices. */
  labels: boolean;
}

interface Voice {
  speaker: string | null;
  language: string | null;
  /** The first of the pieces, where it is not spoken. */
  label: Piece | null;
  pieces: Piece[];
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Seconds between two segments of a voice that keep them from sharing a cue. */
const APART = 1.5;

/** The transcript as subtitles of at most two lines of 42 columns, 1 to 7 s where the speech allows. */
export function buildCues(document: TranscriptDocument, { labels }: CueOptions): Cue[] {
  const voices = gatherVoices(shownSegments(document), labels);
  const drafts = voices.flatMap((voice, index) => {
    const { pieces } = voice;
    const until = voices[index + 1]?.pieces[0]?.start ?? document.duration;
    const ends = chooseBreaks(pieces, until);
    return ends.map((end, at) => toDraft(pieces.slice(ends[at - 1] ?? 0, end), voice));
  });
  return placeCues(drafts, document.duration);
}

function gatherVoices(segments: readonly TranscriptSegment[], labels: boolean): Voice[] {
  const voices: Voice[] = [];
  for (const segment of segments) {
    const pieces = toPieces(segment);
    const [first] = pieces;
    if (!first) continue;
    const current = voices.at(-1);
    if (current && continues(current, segment, first)) append(current.pieces, pieces, first);
    else voices.push(startVoice(segment, pieces, first, labels && current?.speaker !== segment.speaker));
  }
  return voices;
}

function continues(voice: Voice, { speaker, language }: TranscriptSegment, first: Piece): boolean {
  const end = voice.pieces.at(-1)?.end ?? 0;
  return voice.speaker === speaker && voice.language === language && first.start - end < APART;
}

/** The first word of a segment has no word before it until the segment follows another. */
function append(to: Piece[], pieces: readonly Piece[], first: Piece): void {
  const before = to.at(-1);
  to.push({ ...first, spaced: before !== undefined && spaceBetween(before.text, first.text) });
  for (const piece of pieces.slice(1)) to.push(piece);
}

function startVoice(segment: TranscriptSegment, pieces: Piece[], first: Piece, labelled: boolean): Voice {
  const { speaker, language } = segment;
  const name = labelled && speaker !== null ? cleanText(speaker) : '';
  if (name === '') return { speaker, language, label: null, pieces };
  const label = toPiece({ text: toLabel(name), start: first.start, end: first.start }, undefined);
  const spoken = { ...first, opens: false, spaced: true };
  return { speaker, language, label, pieces: [label, spoken, ...pieces.slice(1)] };
}

/** A name that is wider than a line is cut short: a label alone in a cue would be seen for no time at all. */
function toLabel(name: string): string {
  const room = LINE_COLUMNS - 1;
  if (columns(name) <= room) return `${name}:`;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(name)) {
    if (columns(kept + segment) >= room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…:`;
}

function toDraft(pieces: readonly Piece[], { speaker, language, label }: Voice): Cue {
  const spoken = pieces.filter((piece) => piece !== label).map(({ text }) => text);
  return {
    start: pieces[0]?.start ?? 0,
    end: pieces.at(-1)?.end ?? 0,
    lines: toLines(pieces),
    speaker,
    rightToLeft: readsRightToLeft(spoken.join(' '), language),
  };
}
