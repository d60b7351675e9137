import type { TranscriptDocument } from '@app/transcript';

/**
 * The text of every segment with what stands between it and the one before: joined, they are the text of the document,
 * whether its script puts blanks between sentences or not.
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
