/** Compares whole words. @param {string} text @param {string} term */
export function containsWords(text, term) {
  const words = (from) => ` ${from.replace(/[^\p{L}\p{N}' ]/gu, '')} `;
  return words(text).includes(words(term));
}
