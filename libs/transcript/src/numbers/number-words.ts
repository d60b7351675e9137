/** Words of a language, and the digits that each stands for. */
export interface NumberWords {
  digitsByWord: ReadonlyMap<string, string>;
  /** These alone usually count nothing: “no one”, “un ami”. */
  ambiguous: ReadonlySet<string>;
}

const TENS = ['20', '30', '40', '50', '60', '70', '80', '90'];

/**
 * @param units from 0 on, without a gap @param tens from 20 on
 * @param others digits, each followed by its words
 */
function listNumberWords(
  units: string,
  tens: string,
  others: Readonly<Record<string, string>>,
  ambiguous: string,
): NumberWords {
  const digitsByWord = new Map<string, string>();
  for (const [value, word] of units.split(' ').entries()) digitsByWord.set(word, String(value));
  for (const [at, word] of tens.split(' ').entries()) digitsByWord.set(word, TENS[at] ?? '');
  for (const [digits, words] of Object.entries(others))
    for (const word of words.split(' ')) digitsByWord.set(word, digits.replaceAll('_', ''));
  return { digitsByWord, ambiguous: new Set(ambiguous.split(' ')) };
}

// Keys that are whole numbers would be put in order, and lose their zeros.
const ENGLISH = listNumberWords(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  'twenty thirty forty fifty sixty seventy eighty ninety',
  { _00: 'hundred', _000: 'thousand', _000000: 'million' },
  'one second',
);
const GERMAN = listNumberWords(
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  { _2: 'zwo', _30: 'dreissig', _00: 'hundert', _000: 'tausend', _000000: 'million millionen' },
  'null',
);
const FRENCH = listNumberWords(
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  'vingt trente quarante cinquante soixante septante huitante nonante',
  { _20: 'vingts', _80: 'octante', _00: 'cent cents', _000: 'mille', _000000: 'million millions' },
  'un',
);
const SPANISH = listNumberWords(
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
  'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  {
    ...{
      _16: 'dieciseis',
      _21: 'veintiuno veintiún veintiun',
      _22: 'veintidós veintidos',
      _23: 'veintitrés veintitres',
    },
    ...{ _24: 'veinticuatro', _25: 'veinticinco', _26: 'veintiséis veintiseis', _27: 'veintisiete' },
    ...{ _28: 'veintiocho', _29: 'veintinueve', _00: 'cien ciento', _000: 'mil', _000000: 'millón millones' },
  },
  'uno',
);

const BY_LANGUAGE = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
  ['fr', FRENCH],
  ['es', SPANISH],
]);
const NONE: NumberWords = { digitsByWord: new Map(), ambiguous: new Set() };

/** Words of all languages, for a text whose language is unknown. Those that are more common in another language count nothing alone: “seize”, “once”. */
const ALL: NumberWords = {
  digitsByWord: new Map([
    ...SPANISH.digitsByWord,
    ...FRENCH.digitsByWord,
    ...GERMAN.digitsByWord,
    ...ENGLISH.digitsByWord,
  ]),
  ambiguous: new Set([
    ...[...BY_LANGUAGE.values()].flatMap(({ ambiguous }) => [...ambiguous]),
    ...['once', 'quince', 'elf', 'cent', 'cents', 'mille', 'mil', 'seize', 'dos'],
  ]),
};

/** @param language first part of a BCP 47 tag; null if unknown */
export function getNumberWords(language: string | null): NumberWords {
  return language === null ? ALL : (BY_LANGUAGE.get(language) ?? NONE);
}
