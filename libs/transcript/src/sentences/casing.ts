import { toLowerCaseInLanguage, toUpperCaseInLanguage } from '../text/letter-case.js';

const MIN_CAPITALS_SHARE = 0.9;
const MIN_WORDS = 5;
/** Fewer words may all be names: “NASA ESA JAXA CNSA ISRO”. */
const MIN_WORDS_WITHOUT_FUNCTION_WORD = 30;
/** Words that are spelled like abbreviations, such as “IT” and “WHO”, are left out. */
const FUNCTION_WORDS = new Set(
  `the and you that was for are with his they have this from not but what all were when your our said there which their will she him
  has more than been to of der die das und ist nicht ich eine mit den von auf les des est que une dans pour pas vous nous elle los las
  del por una con para pero che non per sono della não uma com het een van niet dat что это как она они не на`.split(
    /\s+/,
  ),
);

/** @param language BCP 47, null if unknown */
export type WordLowercaser = (word: string, language: string | null) => string;

/** Some engines write everything in capitals: such a text is converted to lower case. */
export function createAllCapsTextLowercaser(words: readonly string[]): WordLowercaser {
  let cased = 0;
  let capitals = 0;
  let hasFunctionWord = false;
  for (const word of words) {
    const lower = word.toLowerCase();
    if (lower === word.toUpperCase()) continue;
    cased += 1;
    if (word !== word.toUpperCase()) continue;
    capitals += 1;
    hasFunctionWord ||= FUNCTION_WORDS.has(lower);
  }
  const isText = cased >= (hasFunctionWord ? MIN_WORDS : MIN_WORDS_WITHOUT_FUNCTION_WORD);
  return isText && capitals / cased >= MIN_CAPITALS_SHARE ? toLowerCaseInLanguage : (word) => word;
}

/** Georgian has capitals, but only for texts that are all in capitals. */
const CAPITALISABLE = /^(?!\p{Script=Georgian})\p{Ll}$/u;

/** A letter whose capital is two letters is kept, so that the number of letters does not change. */
function toCapital(letter: string, language: string | null): string {
  const capital = toUpperCaseInLanguage(letter, language);
  return [...capital].length === 1 ? capital : letter;
}

/** Keeps words with other capitals ("iPhone") or after a digit ("2nd"). @param language BCP 47, null if unknown */
export function capitalise(word: string, language: string | null): string {
  if (word !== toLowerCaseInLanguage(word, language)) return word;
  return word.replace(/[\p{L}\p{N}]/u, (first) =>
    CAPITALISABLE.test(first) ? toCapital(first, language) : first,
  );
}
