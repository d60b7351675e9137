/** How a language is recognized by its spelling, and respelled for English readers. */
interface Orthography {
  /**
   * Matches words of the language, with or without accents, and few English ones. A rare English match (`villa`, `toxin`)
   * merely gets an additional pronunciation.
   */
  pattern: RegExp;
  /** Regular expressions and their replacement; the first match wins. */
  respellings: readonly (readonly [letters: string, read: string])[];
}

/** `i` before a vowel softens the preceding consonant; `w` is v, or f when devoiced. */
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

/** Czech, Slovak and South Slavic languages: one sound per accented letter. */
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

/** An initial `s` before p and t is sh. */
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

/** `c` and `g` are soft before e and i; `h` hardens them, and an `i` that only softens is silent. */
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

/** `ğ` lengthens the vowel. Without accents an initial `c` is mostly `ç`. */
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
 * Pinyin: only Mandarin syllables, at least one with a letter that English reads differently. The lookahead with
 * backreference (`(?=(...))\1`) makes syllables atomic, which prevents catastrophic backtracking.
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
  ({ pattern, respellings }) => ({
    pattern,
    letters: new RegExp(respellings.map(([letters]) => `(${letters})`).join('|'), 'gu'),
    replacements: respellings.map(([, replacement]) => replacement),
  }),
);

/**
 * Respells a foreign word so that English pronunciation rules approximate it: `voychehofski` for `wojciechowski`. One
 * result per matching language, mostly none. Stress and vowels are not modelled; some accents may remain.
 * @param word in lower case, normalized to NFC
 */
export function respellForEnglish(word: string): string[] {
  return LANGUAGES.filter(({ pattern }) => pattern.test(word))
    .map(({ letters, replacements }) =>
      word.replace(letters, (...groups: (string | number | undefined)[]) => {
        const at = groups.slice(1, replacements.length + 1).findIndex((letter) => letter !== undefined);
        return replacements[at] ?? '';
      }),
    )
    .filter((respelled) => respelled !== word && respelled !== '');
}
