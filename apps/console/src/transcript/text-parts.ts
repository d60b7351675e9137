import type { TranscriptSegment } from './transcript-document.ts';

/** A piece of a segment's text: a word, or what is between two words. */
export interface SegmentTextPart {
  text: string;
  /** Offset in the text of the segment. */
  from: number;
  /** Index in the words of the segment; null between words. */
  word: number | null;
}

/** Splits the text of a segment at its words. Scripts without spaces have nothing between the words. */
export function splitSegmentTextAtWords({
  text,
  words,
}: Pick<TranscriptSegment, 'text' | 'words'>): SegmentTextPart[] {
  const parts: SegmentTextPart[] = [];
  let end = 0;
  for (const [index, { word }] of (words ?? []).entries()) {
    const from = text.indexOf(word, end);
    if (word === '' || from === -1) continue;
    if (from > end) parts.push({ text: text.slice(end, from), from: end, word: null });
    parts.push({ text: word, from, word: index });
    end = from + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), from: end, word: null });
  return parts;
}

/** An occurrence of the searched text. */
export interface TextMatch {
  /** Index of the segment. */
  segment: number;
  /** Offsets in its text. */
  from: number;
  to: number;
}

/** All occurrences, without regard to case, in the texts that are shown. */
export function findTextMatches(shownTexts: readonly string[], query: string): TextMatch[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const matches: TextMatch[] = [];
  for (const [segment, text] of shownTexts.entries()) {
    const lower = text.toLowerCase();
    for (let from = lower.indexOf(wanted); from !== -1; from = lower.indexOf(wanted, from + wanted.length))
      matches.push({ segment, from, to: from + wanted.length });
  }
  return matches;
}
