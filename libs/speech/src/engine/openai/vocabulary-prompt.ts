/** Whisper heeds the last 224 tokens of a prompt, and rare names take a token for every three bytes or so. */
const MAX_PROMPT_BYTES = 600;

export interface VocabularyPrompt {
  text: string;
  /** Terms that found no room, or in which nothing can be said. */
  unusedTerms: number;
}

/** The terms as a sentence that the recogniser takes for what was said before. */
export function buildVocabularyPrompt(terms: readonly string[]): VocabularyPrompt {
  const used: string[] = [];
  let bytes = 0;
  for (const term of terms) {
    const text = term.trim().replaceAll(/\s+/g, ' ');
    const size = Buffer.byteLength(text) + 2;
    if (!/[\p{L}\p{N}]/u.test(text) || bytes + size > MAX_PROMPT_BYTES) continue;
    used.push(text);
    bytes += size;
  }
  return { text: used.join(', '), unusedTerms: terms.length - used.length };
}
