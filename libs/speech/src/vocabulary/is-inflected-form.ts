/** Letters at the end of a name that an ending may replace. */
const MAX_REPLACED_LETTERS = 2;
/** Longer ones are compounds, or other words. */
const MAX_ENDING_LETTERS = 6;
/** Too many words share fewer letters. */
const MIN_STEM_LETTERS = 3;

/**
 * Whether a word is a name with an ending of declension: all of the name but its last letters, and another end. A word that only
 * differs within is not: an engine misheard it. Names whose stem changes (Virtanen, Virtasen) are not recognized.
 */
export function isInflectedNameForm(word: string, name: string): boolean {
  const [letters, nameLetters] = [toLetters(word), toLetters(name)];
  let shared = 0;
  while (shared < nameLetters.length && letters[shared] === nameLetters[shared]) shared += 1;
  const hasOtherEnd =
    shared === nameLetters.length ? letters.length > shared : letters.at(-1) !== nameLetters.at(-1);
  return (
    hasOtherEnd &&
    shared >= Math.max(MIN_STEM_LETTERS, nameLetters.length - MAX_REPLACED_LETTERS) &&
    letters.length - shared <= MAX_ENDING_LETTERS
  );
}

/** A syllable of Hangul is two or three letters, an accent one of its own. */
function toLetters(text: string): string[] {
  return [...text.toLowerCase().normalize('NFD')];
}
