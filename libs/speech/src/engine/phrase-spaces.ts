import { PHRASE_SPACED_SCRIPTS, splitIntoWords } from './split-into-words.js';

// Chinese and Japanese are not among them: their spaces are no part of the language, tokenizers make them.
const PHRASE_SPACED_SCRIPT = new RegExp(`[${PHRASE_SPACED_SCRIPTS}]`, 'u');
const STARTS_IN_SCRIPT = new RegExp(String.raw`^[^\p{L}\p{N}]*[${PHRASE_SPACED_SCRIPTS}]`, 'u');
const ENDS_IN_SCRIPT = new RegExp(String.raw`[${PHRASE_SPACED_SCRIPTS}][^\p{L}\p{N}]*$`, 'u');
const LETTER = /[\p{L}\p{N}]/u;

export interface PhraseSpacing {
  /** The word follows a space between phrases of a script that has none between words. Absent for other words. */
  spaceBefore?: true | undefined;
}

/**
 * Marks the words before which the text has a space between phrases. So has the first word, because each text is one of speech
 * after a pause.
 * @param words of the text, in order; those after one that is not in the text stay unmarked
 * @param text as the engine wrote it
 */
export function markPhraseSpaces<W extends { text: string }>(
  words: readonly W[],
  text: string,
): (W & PhraseSpacing)[] {
  if (!PHRASE_SPACED_SCRIPT.test(text)) return [...words];
  const hasPhrases = isDividedIntoPhrases(text);
  let reached = 0;
  let isInText = true;
  return words.map((word, index) => {
    if (!isInText) return word;
    const from = text.indexOf(word.text, reached);
    const gap = text.slice(reached, from);
    isInText = from !== -1 && !LETTER.test(gap);
    if (!isInText) return word;
    reached = from + word.text.length;
    const followsSpace = index === 0 || (hasPhrases && /\s/.test(gap));
    return followsSpace && STARTS_IN_SCRIPT.test(word.text) ? { ...word, spaceBefore: true } : word;
  });
}

/** If most words have a space before them, a tokenizer has divided the text into words instead. */
function isDividedIntoPhrases(text: string): boolean {
  let [spaced, unspaced] = [0, 0];
  let previous = '';
  for (const piece of text.split(/\s+/))
    for (const [index, word] of splitIntoWords(piece).entries()) {
      const isWithinScript = ENDS_IN_SCRIPT.test(previous) && STARTS_IN_SCRIPT.test(word);
      if (isWithinScript && index === 0) spaced += 1;
      else if (isWithinScript) unspaced += 1;
      previous = word;
    }
  return spaced <= unspaced;
}
