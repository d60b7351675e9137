import type { TranscriptDocument } from '@app/transcript';

/**
 * Returns each segment with the characters between it and the previous one. Joined, they equal the text of the document,
 * whether or not its script separates sentences with blanks.
 */
export function splitSpacedTexts({
  text,
  segments,
}: Pick<TranscriptDocument, 'text' | 'segments'>): string[] {
  let at = 0;
  return segments.map((segment) => {
    const found = text.indexOf(segment.text, at);
    if (found < 0) return segment.text;
    const from = at;
    at = found + segment.text.length;
    return text.slice(from, at);
  });
}
