const MIN_CAPITALS_SHARE = 0.9;
const MIN_WORDS = 5;

/** Some engines write everything in capitals: such a text is converted to lower case. */
export function createAllCapsTextLowercaser(words: readonly string[]): (word: string) => string {
  let cased = 0;
  let capitals = 0;
  for (const word of words) {
    if (word.toLowerCase() === word.toUpperCase()) continue;
    cased += 1;
    if (word === word.toUpperCase()) capitals += 1;
  }
  const shouts = cased >= MIN_WORDS && capitals / cased >= MIN_CAPITALS_SHARE;
  return shouts ? (word) => word.toLowerCase() : (word) => word;
}

/** Georgian has capitals, but only for texts that are all in capitals. */
const CAPITALISABLE = /^(?!\p{Script=Georgian})\p{Ll}$/u;

/** A letter whose capital is two letters is kept, so that the number of letters does not change. */
function toCapital(letter: string): string {
  const capital = letter.toUpperCase();
  return [...capital].length === 1 ? capital : letter;
}

/** Keeps words with other capitals ("iPhone") or after a digit ("2nd"). */
export function capitalise(word: string): string {
  if (word !== word.toLowerCase()) return word;
  return word.replace(/[\p{L}\p{N}]/u, (first) => (CAPITALISABLE.test(first) ? toCapital(first) : first));
}
