/** A list names things: pieces of a few words, none of which ends a sentence. */
const MOST_WORDS = 4;
const SENTENCE_END = /[.!?。！？](?:\s|$)/u;

/**
 * The terms of a prompt that is a list of them, separated by commas or line breaks; null when it is running text, which
 * says nothing that could be listened for.
 */
export function parsePromptTerms(prompt: string): string[] | null {
  const terms = prompt
    .replace(/\.\s*$/, '')
    .split(/[,\n\r;]/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
  const isList = terms.every((term) => term.split(/\s+/).length <= MOST_WORDS && !SENTENCE_END.test(term));
  return isList && terms.length > 0 ? terms : null;
}
