/** Phonemes as single IPA letters, without stress, length and tone. */
export type Phonemes = readonly string[];

/** Stress, length, tone and accents, and where espeak-ng changes its language: `(en)`. */
const IGNORED = /\([a-z-]+\)|[^\p{Ll}\p{Lo}]/gu;
/** Vowels that contain an r, and variants of other letters. */
const REWRITTEN: Readonly<Record<string, string>> = { ɚ: 'əɹ', ɝ: 'əɹ', ɜ: 'ə', ᵻ: 'ɪ', ɫ: 'l', g: 'ɡ' };

/** Converts espeak-ng's IPA of one text. */
export function parsePhonemes(ipa: string): string[] {
  const letters = ipa.replaceAll(IGNORED, '');
  return [...letters].flatMap((letter) => [...(REWRITTEN[letter] ?? letter)]);
}

/** Vowels by height (0 closed) and backness (0 front). */
const VOWELS: ReadonlyMap<string, readonly [number, number]> = new Map(
  `i 0 0, y 0 0, ɪ 0.3 0.2, ʏ 0.3 0.2, ɨ 0 0.5, ʉ 0 0.5, ɯ 0 1, u 0 1, ʊ 0.3 0.8, e 0.6 0, ø 0.6 0, ɘ 0.6 0.5, ɵ 0.6 0.5,
  ə 0.8 0.5, ɤ 0.6 1, o 0.6 1, ɛ 1 0, œ 1 0, ɞ 1 0.5, ʌ 1.1 0.8, ɔ 1 1, æ 1.3 0.1, ɐ 1.2 0.5, a 1.4 0.3, ɑ 1.4 1, ɒ 1.4 1`
    .split(',')
    .map((line) => {
      const [letter = '', height, backness] = line.trim().split(' ');
      return [letter, [Number(height), Number(backness)] as const];
    }),
);
const MAX_VOWEL_COST = 0.7;
const VOWEL_COST_PER_STEP = 0.4;

/** Consonants that are taken for each other; those of a group cost half. */
const SIMILAR_CONSONANTS = [
  ...[
    'pb',
    'tdɾʈɖ',
    'kɡcɟq',
    'fvθð',
    'szθð',
    'ʃʒɕʑʂʐçsz',
    'mɱnŋɲ',
    'lʎɭ',
    'rɹʁɾʀɻl',
    'vwʋβb',
    'jʝʎɡ',
    'hxχɣħkç',
  ],
].map((group) => new Set(group));
const SIMILAR_COST = 0.5;
/** Sounds that are easily missed. */
const WEAK = new Set('əhʔɹ');
const WEAK_COST = 0.6;

/**
 * Weighted edit distance, as a share of the longer sequence: 0 for the same sounds.
 * @param limit above which the result may be any value above it
 */
export function computePhonemeDistance(one: Phonemes, other: Phonemes, limit = 1): number {
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 0;
  const budget = limit * longest;
  if (Math.abs(one.length - other.length) * WEAK_COST > budget) return Infinity;
  let row = [0];
  for (const letter of other) row.push((row.at(-1) ?? 0) + gapCost(letter));
  for (const letter of one) {
    const next = [(row[0] ?? 0) + gapCost(letter)];
    for (const [at, against] of other.entries())
      next.push(
        Math.min(
          (row[at] ?? 0) + substitutionCost(letter, against),
          (row[at + 1] ?? 0) + gapCost(letter),
          (next[at] ?? 0) + gapCost(against),
        ),
      );
    if (Math.min(...next) > budget) return Infinity;
    row = next;
  }
  return (row.at(-1) ?? 0) / longest;
}

function gapCost(letter: string): number {
  return WEAK.has(letter) ? WEAK_COST : 1;
}

function substitutionCost(one: string, other: string): number {
  if (one === other) return 0;
  const [vowel, otherVowel] = [VOWELS.get(one), VOWELS.get(other)];
  if (vowel && otherVowel) {
    const steps = Math.hypot(vowel[0] - otherVowel[0], vowel[1] - otherVowel[1]);
    return Math.min(MAX_VOWEL_COST, 0.1 + VOWEL_COST_PER_STEP * steps);
  }
  if (vowel || otherVowel) return 1;
  return SIMILAR_CONSONANTS.some((group) => group.has(one) && group.has(other)) ? SIMILAR_COST : 1;
}
