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
    const { lower, toOffset } = toLowerCaseWithOffsets(text);
    for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + wanted.length))
      matches.push({ segment, from: toOffset(at), to: toOffset(at + wanted.length) });
  }
  return matches;
}

/** Small letters can be longer: `İ` becomes two. */
function toLowerCaseWithOffsets(text: string): { lower: string; toOffset: (lowerOffset: number) => number } {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return { lower, toOffset: (offset) => offset };
  const letters = [...text].map((letter) => ({ length: letter.length, lower: letter.toLowerCase() }));
  const offsets: number[] = [];
  let end = 0;
  for (const letter of letters) {
    // Within a letter that became longer the offset is its start.
    for (let unit = 0; unit < letter.lower.length; unit += 1) offsets.push(end);
    end += letter.length;
  }
  return {
    lower: letters.map((letter) => letter.lower).join(''),
    toOffset: (offset) => offsets[offset] ?? text.length,
  };
}

/** A piece of a text: `isCurrent` is null outside of matches. */
export interface MarkedTextPiece {
  text: string;
  isCurrent: boolean | null;
}

/**
 * Splits a piece of a segment's text at the matches.
 * @param from its offset in the text of the segment
 * @param matches of the segment, in order
 */
export function splitTextAtMatches(
  text: string,
  from: number,
  matches: readonly { from: number; to: number; isCurrent: boolean }[],
): MarkedTextPiece[] {
  const pieces: MarkedTextPiece[] = [];
  let end = 0;
  const add = (to: number, isCurrent: boolean | null) => {
    if (to > end) pieces.push({ text: text.slice(end, to), isCurrent });
    end = Math.max(end, to);
  };
  for (const match of matches) {
    if (match.to <= from || match.from >= from + text.length) continue;
    add(match.from - from, null);
    add(Math.min(match.to - from, text.length), match.isCurrent);
  }
  add(text.length, null);
  return pieces;
}
