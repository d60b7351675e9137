/** Marks of any script, for character classes of regular expressions. */
export const SENTENCE_MARKS = '.!?…。！？।۔؟။។።';
/** Marks within a sentence. */
export const CLAUSE_MARKS = ',;:،؛，、；：';
/**
 * Brackets and quotes that may follow another mark. German closes quotations with what others open them with. Without the apostrophe,
 * which may belong to the word.
 */
export const CLOSING_MARKS = String.raw`\p{Pi}\p{Pf}\p{Pe}"`;

const SENTENCE_END = new RegExp(`[${SENTENCE_MARKS}][${CLOSING_MARKS}']*$`, 'u');

/** Brackets and quotes may follow the mark. */
export function endsWithSentenceMark(text: string): boolean {
  return SENTENCE_END.test(text);
}
