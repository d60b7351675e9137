import type { JoinableWord } from './join-words.js';

/**
 * Words with the spaces that a text has before them. Only the text says where a script without spaces between words has them
 * between phrases.
 * @param words of the text, in order
 */
export function addSpacesOfText<W extends { text: string }>(
  words: readonly W[],
  text: string,
): (W & JoinableWord)[] {
  let reached = 0;
  return words.map((word) => {
    const from = text.indexOf(word.text, reached);
    if (from === -1) return word;
    reached = from + word.text.length;
    return { ...word, spaceBefore: text[from - 1] === ' ' };
  });
}
