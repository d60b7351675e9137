/**
 * A text in the form in which words are compared: lower case, words apart by single blanks, no punctuation.
 *
 * - Apostrophes inside a word stay (`don't`, `o'clock`), typographic ones become straight; at its ends they are removed.
 * - Hyphens and all other signs split words (`cold-hearted` is two).
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
