/** A list consists of short items, none of which ends a sentence. */
const MAX_WORDS_PER_TERM = 4;
const SENTENCE_END = /[.!?。！？](?:\s|$)/u;

/**
 * Returns the terms of a prompt that is a list, separated by commas or line breaks; null for running text.
 */
export function parsePromptTerms(prompt: string): string[] | null {
  const terms = prompt
    .replace(/\.\s*$/, '')
    .split(/[,\n\r;]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  const isList = terms.every(
    (term) => term.split(/\s+/).length <= MAX_WORDS_PER_TERM && !SENTENCE_END.test(term),
  );
  return isList && terms.length > 0 ? terms : null;
}
