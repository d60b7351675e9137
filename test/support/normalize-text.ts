/**
 * Normalizes a text for the comparison of words: lower case, single blanks between words, no punctuation.
 *
 * - Apostrophes inside a word stay (`don't`, `o'clock`), typographic ones become straight; others are removed.
 * - Hyphens and all other signs split words (`cold-hearted` becomes two).
 * - Digits stay as they are: `21` and `twenty one` are different words.
 * - Letters of every script stay, composed (NFC).
 */
export function normalizeText(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu);
  return (words ?? []).join(' ');
}
