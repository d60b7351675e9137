/** Letters at the end of a name that an ending may replace. */
const MAX_REPLACED_LETTERS = 2;
/** Words with longer endings are compounds, or other words. */
const MAX_ENDING_LETTERS = 6;
/** Too many words begin with the same letters if those are fewer. */
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

/** Looks a word up among many names: only those with the same first letters are compared. */
export class InflectedNameForms {
  private readonly namesByStem = new Map<string, string[]>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const stem = toFirstLetters(name);
      const known = this.namesByStem.get(stem);
      if (known) known.push(name);
      else this.namesByStem.set(stem, [name]);
    }
  }

  /** Result of `isInflectedNameForm` for one of the names. */
  has(word: string): boolean {
    const names = this.namesByStem.get(toFirstLetters(word)) ?? [];
    return names.some((name) => isInflectedNameForm(word, name));
  }
}

function toFirstLetters(text: string): string {
  return toLetters(text).slice(0, MIN_STEM_LETTERS).join('');
}

/** A syllable of Hangul is two or three letters, an accent one of its own. */
function toLetters(text: string): string[] {
  return [...text.toLowerCase().normalize('NFD')];
}
