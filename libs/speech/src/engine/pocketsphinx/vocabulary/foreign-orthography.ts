/**
 * Languages by their spelling, with or without accents, under the names of espeak-ng's voices. A rare English match (`villa`,
 * `toxin`) merely gets an additional pronunciation.
 */
const ORTHOGRAPHIES: Readonly<Record<string, RegExp>> = {
  pl: /[ąęłńśźż]|cz|sz|[bgkptw]rz|[lnrw]sk[ia]$/,
  // Czech and Slovak, and South Slavic names.
  cs: /[čćšžřěďťňđ]|[oe]vic$/,
  de: /[äöüß]|sch|tz|(?:mann|stein|berg|heim|bach|feld|burg|haus|dorf|hofer?|inger|ma[iy]er|me[iy]er|bauer)$/,
  sv: /[åøæ]|qvist|^hj|^[sk]j|^lj|sson$|sdotter$|strom$|gren$/,
  'es-419': /ñ|ll[ao]s?$|llan|[adeinorz]ez$|[aenu]j[aeio].*[aeo]s?$|gua.*[aeo]s?$|^qui.*(?:[ao]s?|es)$/,
  it: /^(?=.*[aeio]$).*(?:cch|cci|ggi|gli|zz[aio]|gn|sch[ei]|gh[ei]|cqu|(?:ini|etti|elli|ucci|acci|otti)$)/,
  tr: /[çşğı]|oglu$/,
  // Only Mandarin syllables, at least one with a letter that English reads differently. The lookahead with backreference
  // (`(?=(...))\1`) makes syllables atomic, which prevents catastrophic backtracking.
  'cmn-latn-pinyin':
    /^(?=.*(?:x[iu]|qi|zh))(?:(?=((?:[zcs]h|[b-df-hj-np-tw-z])?(?:i?ang|u?eng|i?ong|uang|ing|i?ao|uai|[iu]?an|[ae]i|ou|u?en|[iu]n|i[aeu]|u[aieo]|er|[aeiouü])))\1)+$/,
};

/** Accents that names in English texts mostly lack, by voice. */
const MISSING_ACCENTS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  pl: [[/s(?=[nc]i)/g, 'ś']],
  cs: [[/(?<=[oe]vi)c$/, 'ć']],
  tr: [
    [/^c/, 'ç'],
    [/oglu$/, 'oğlu'],
  ],
};

/** Whether an item of a spoken form is `voice:word` instead of a dictionary word, which has no colon. */
export function isWordTaggedWithEspeakVoice(word: string): boolean {
  return word.includes(':');
}

/**
 * Languages whose spelling the word resembles; mostly none.
 * @param word in lower case, normalized to NFC
 * @returns `voice:word` for each, with the voice of espeak-ng and missing accents restored
 */
export function tagWithLikelyEspeakVoices(word: string): string[] {
  return Object.entries(ORTHOGRAPHIES)
    .filter(([, pattern]) => pattern.test(word))
    .map(([voice]) => {
      const accented = (MISSING_ACCENTS[voice] ?? []).reduce(
        (text, [letters, accent]) => text.replace(letters, accent),
        word,
      );
      return `${voice}:${accented}`;
    });
}
