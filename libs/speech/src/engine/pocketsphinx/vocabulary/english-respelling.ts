/** How a language is told by its spelling, and what an English reader would write for its sounds. */
interface Orthography {
  /**
   * What words of the language have, also without their accents, and few English ones: some do (`villa`, `doggie`, `toxin`,
   * `Maxine`), and those that are rare get a way that nobody says beside their own.
   */
  pattern: RegExp;
  /** Letters, as a pattern, and what is read for them; of several that fit, the first. */
  respellings: readonly (readonly [letters: string, read: string])[];
}

/**
 * `i` before a vowel softens the consonant before it, and s before a soft one is soft too; `w` is v, or f where the voice is
 * off.
 */
const POLISH: Orthography = {
  pattern: /[ąęłńśźż]|cz|sz|[bgkptw]rz|[lnrw]sk[ia]$/,
  respellings: [
    ['szcz', 'shch'],
    ['dzi(?=[aeou])|dź|dż', 'j'],
    ['sz|si(?=[aeou])|s(?=[nc]i)|ś', 'sh'],
    ['(?<=[aeiouy])(?:cz|ć)', 'tch'],
    ['cz|ci(?=[aeou])|ć', 'ch'],
    ['(?<=[kpt])rz', 'sh'],
    ['rz|zi(?=[aeou])|ź|ż', 'zh'],
    ['ch', 'h'],
    ['c', 'ts'],
    ['ni(?=[aou])|ń(?=[aeiou])', 'ny'],
    ['ń', 'n'],
    ['ie', 'ye'],
    ['j', 'y'],
    ['y', 'i'],
    ['w(?=[cfhkpst]|$)', 'f'],
    ['w|ł(?=w)', 'v'],
    ['ł', 'w'],
    ['ó', 'u'],
    ['ą(?=[bp])', 'om'],
    ['ą', 'on'],
    ['ę(?=[bp])', 'em'],
    ['ę', 'en'],
  ],
};

/** Czech, Slovak and the languages of the South Slavs, whose marked letters have one sound each. */
const SLAVIC: Orthography = {
  pattern: /[čćšžřěďťňđ]|[oe]vic$/,
  respellings: [
    ['č|ć|ť|(?<=[oe]vi)c$', 'ch'],
    ['š', 'sh'],
    ['ž|ř', 'zh'],
    ['ď|đ', 'j'],
    ['ň', 'ny'],
    ['ě', 'ye'],
    ['ch', 'h'],
    ['c', 'ts'],
    ['j', 'y'],
  ],
};

/** `s` before p and t is sh at the beginning of a word. */
const GERMAN: Orthography = {
  pattern:
    /[äöüß]|sch|tz|(?:mann|stein|berg|heim|bach|feld|burg|haus|dorf|hofer?|inger|ma[iy]er|me[iy]er|bauer)$/,
  respellings: [
    ['tsch', 'ch'],
    ['sch', 'sh'],
    ['^s(?=[pt])', 'sh'],
    ['chs', 'ks'],
    ['ch', 'k'],
    ['tz|zz?', 'ts'],
    ['(?<!e)ie', 'ee'],
    ['eu|äu', 'oy'],
    ['ä', 'e'],
    ['ö', 'ur'],
    ['ü', 'ue'],
    ['j', 'y'],
    ['v', 'f'],
    ['w', 'v'],
    ['e$', 'a'],
  ],
};

const SCANDINAVIAN: Orthography = {
  pattern: /[åøæ]|qvist|^hj|^[sk]j|^lj|sson$|sdotter$|strom$|gren$/,
  respellings: [
    ['^[hgl]j', 'y'],
    ['skj|stj|sj', 'sh'],
    ['[kt]j', 'ch'],
    ['j', 'y'],
    ['qv', 'kv'],
    ['w', 'v'],
    ['å', 'o'],
    ['ä|æ', 'e'],
    ['ö|ø', 'ur'],
  ],
};

/** Seseo, as in most of America: `z` is s. */
const SPANISH: Orthography = {
  pattern: /ñ|ll[ao]s?$|llan|[adeinorz]ez$|[aenu]j[aeio].*[aeo]s?$|gua.*[aeo]s?$|^qui.*(?:[ao]s?|es)$/,
  respellings: [
    ['i(?=ll)', 'ee'],
    ['ll', 'y'],
    ['ñ', 'ny'],
    ['qu(?=[ei])', 'k'],
    ['gu(?=[ei])', 'g'],
    ['g(?=[ei])|j', 'h'],
    ['c(?=[ei])|z', 's'],
    ['^h', ''],
    ['ua', 'wa'],
    ['ue', 'way'],
    ['es$', 'ess'],
    ['e$', 'ay'],
  ],
};

/** `c` and `g` are soft before e and i, an h makes them hard, and an i that only makes them soft is not said. */
const ITALIAN: Orthography = {
  pattern:
    /^(?=.*[aeio]$).*(?:cch|cci|ggi|gli|zz[aio]|gn|sch[ei]|gh[ei]|cqu|(?:ini|etti|elli|ucci|acci|otti)$)/,
  respellings: [
    ['sch(?=[ei])', 'sk'],
    ['sci(?=[aou])|sc(?=[ei])', 'sh'],
    ['cch|ch', 'k'],
    ['cci(?=[aou])|cc(?=[ei])|ci(?=[aou])|c(?=[ei])', 'ch'],
    ['ggi(?=[aou])|gg(?=[ei])|gi(?=[aou])|g(?=[ei])', 'j'],
    ['gli(?=[aeo])', 'ly'],
    ['gn', 'ny'],
    ['gh', 'g'],
    ['gu(?=[aei])', 'gw'],
    ['zz', 'ts'],
    ['e$', 'ay'],
  ],
};

/** Vowels that `ğ` only lengthens; without accents a first `c` is far more often `ç`. */
const TURKISH: Orthography = {
  pattern: /[çşğı]|oglu$/,
  respellings: [
    ['ç|^c', 'ch'],
    ['c', 'j'],
    ['ş', 'sh'],
    ['ğ|g(?=lu$)', ''],
    ['ı', 'i'],
    ['ö', 'ur'],
    ['ü', 'ue'],
  ],
};

/**
 * Mandarin in pinyin: nothing but its syllables, one of them with a letter that English reads otherwise. A syllable that was
 * found stands (`(?=(...))\1`): to try every way of dividing a long word would take forever.
 */
const PINYIN: Orthography = {
  pattern:
    /^(?=.*(?:x[iu]|qi|zh))(?:(?=((?:[zcs]h|[b-df-hj-np-tw-z])?(?:i?ang|u?eng|i?ong|uang|ing|i?ao|uai|[iu]?an|[ae]i|ou|u?en|[iu]n|i[aeu]|u[aieo]|er|[aeiouü])))\1)+$/,
  respellings: [
    ['zh', 'j'],
    ['x', 'sh'],
    ['q', 'ch'],
    ['c(?!h)', 'ts'],
    ['(?<=[xq])i(?=[ao])', ''],
    ['ian(?!g)', 'yen'],
    ['ia', 'ya'],
    ['io', 'yo'],
    ['ie', 'yeh'],
    ['iu', 'yo'],
    ['ui', 'way'],
    ['uo', 'wo'],
    ['ua', 'wa'],
    ['ou$', 'oe'],
    ['ou', 'o'],
    ['ao', 'au'],
  ],
};

const LANGUAGES = [POLISH, SLAVIC, GERMAN, SCANDINAVIAN, SPANISH, ITALIAN, TURKISH, PINYIN].map(
  ({ pattern: marks, respellings: said }) => ({
    marks,
    letters: new RegExp(said.map(([letters]) => `(${letters})`).join('|'), 'gu'),
    reads: said.map(([, read]) => read),
  }),
);

/**
 * A word of another language as an English reader would spell what its speakers say: `voychehofski` for `wojciechowski`.
 * One for each language that its spelling may be of, most often none. The rules are those of the orthographies; stress and
 * vowels are left to who reads. Some accents may be left.
 *
 * @param word in lower case, with its accents as one with the letters (NFC)
 */
export function respellForEnglish(word: string): string[] {
  return LANGUAGES.filter(({ marks }) => marks.test(word))
    .map(({ letters, reads }) =>
      word.replace(letters, (...found: (string | number | undefined)[]) => {
        const at = found.slice(1, reads.length + 1).findIndex((letter) => letter !== undefined);
        return reads[at] ?? '';
      }),
    )
    .filter((said) => said !== word && said !== '');
}
