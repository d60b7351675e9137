const UNITS: Record<string, readonly string[]> = {
  0: ['zero', 'oh', 'null', 'zéro', 'cero'],
  1: ['one', 'eins', 'un', 'uno'],
  2: ['two', 'zwei', 'zwo', 'deux', 'dos'],
  3: ['three', 'drei', 'trois', 'tres'],
  4: ['four', 'vier', 'quatre', 'cuatro'],
  5: ['five', 'fünf', 'cinq', 'cinco'],
  6: ['six', 'sechs', 'seis'],
  7: ['seven', 'sieben', 'sept', 'siete'],
  8: ['eight', 'acht', 'huit', 'ocho'],
  9: ['nine', 'neun', 'neuf', 'nueve'],
  10: ['ten', 'zehn', 'dix', 'diez'],
  11: ['eleven', 'elf', 'onze', 'once'],
  12: ['twelve', 'zwölf', 'douze', 'doce'],
  13: ['thirteen', 'dreizehn', 'treize', 'trece'],
  14: ['fourteen', 'vierzehn', 'quatorze', 'catorce'],
  15: ['fifteen', 'fünfzehn', 'quinze', 'quince'],
  16: ['sixteen', 'sechzehn', 'seize', 'dieciséis'],
  17: ['seventeen', 'siebzehn', 'diecisiete'],
  18: ['eighteen', 'achtzehn', 'dieciocho'],
  19: ['nineteen', 'neunzehn', 'diecinueve'],
  20: ['twenty', 'zwanzig', 'vingt', 'veinte'],
  30: ['thirty', 'dreißig', 'dreissig', 'trente', 'treinta'],
  40: ['forty', 'vierzig', 'quarante', 'cuarenta'],
  50: ['fifty', 'fünfzig', 'cinquante', 'cincuenta'],
  60: ['sixty', 'sechzig', 'soixante', 'sesenta'],
  70: ['seventy', 'siebzig', 'septante', 'setenta'],
  80: ['eighty', 'achtzig', 'huitante', 'ochenta'],
  90: ['ninety', 'neunzig', 'nonante', 'noventa'],
  '00': ['hundred', 'hundert', 'cent', 'cien', 'ciento'],
  '000': ['thousand', 'tausend', 'mille', 'mil'],
  '000000': ['million', 'millionen', 'millions', 'millones'],
};

const DIGITS_BY_WORD = new Map(
  Object.entries(UNITS).flatMap(([digits, words]) => words.map((word) => [word, digits] as const)),
);

/** Written in one word, such as `einundzwanzig`. */
const GERMAN_COMPOUND = new RegExp(
  `^(ein|${['zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'].join('|')})und(${[20, 30, 40, 50, 60, 70, 80, 90].flatMap((tens) => UNITS[tens] ?? []).join('|')})$`,
);

/** These alone usually count nothing: “no one”, “once”, “un ami”. */
const AMBIGUOUS = new Set([
  'one',
  'oh',
  'un',
  'uno',
  'null',
  'once',
  'quince',
  'elf',
  'cent',
  'mille',
  'second',
]);

const REPEATED: Record<string, number> = { double: 2, triple: 3, doppel: 2, doppelt: 2 };

/** The digits that a word stands for; null for another word. English, German, French and Spanish, without punctuation. */
export function parseSpokenDigits(word: string): string | null {
  const lower = word.toLowerCase();
  const digits = DIGITS_BY_WORD.get(lower);
  if (digits !== undefined) return digits;
  const parts = lower.split('-');
  if (parts.length > 1) {
    const read = parts.map((part) => DIGITS_BY_WORD.get(part));
    return read.every((part) => part !== undefined) ? joinSpokenDigits(read) : null;
  }
  const compound = GERMAN_COMPOUND.exec(lower);
  if (!compound) return null;
  const [, unit = '', tens = ''] = compound;
  const unitDigits = unit === 'ein' ? '1' : (DIGITS_BY_WORD.get(unit) ?? '');
  return (DIGITS_BY_WORD.get(tens) ?? '').slice(0, 1) + unitDigits;
}

/** “forty two” is 42, not 402. */
export function joinSpokenDigits(parts: readonly string[]): string {
  let joined = '';
  let previous = '';
  for (const part of parts) {
    const isUnitOfTens = /^[2-9]0$/.test(previous) && /^[1-9]$/.test(part);
    joined = isUnitOfTens ? joined.slice(0, -1) + part : joined + part;
    previous = part;
  }
  return joined;
}

/** “thousand” and “million”, with which people say amounts and no phone numbers. */
export function isThousandOrMillionWord(word: string): boolean {
  return (DIGITS_BY_WORD.get(word.toLowerCase()) ?? '').startsWith('000');
}

export function isAmbiguousNumberWord(word: string): boolean {
  return AMBIGUOUS.has(word.toLowerCase());
}

/** 2 for `double`; null for another word. */
export function parseDigitRepeatCount(word: string): number | null {
  return REPEATED[word.toLowerCase()] ?? null;
}
