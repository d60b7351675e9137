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

/** Whether sequences of these lengths may have a distance within the limit, whatever their sounds are. */
export function canBeWithinDistance(limit: number, one: number, other: number): boolean {
  return Math.abs(one - other) * WEAK_COST <= limit * Math.max(one, other);
}

/** @param cost weighted edit distance of sequences of these lengths @returns as a share of the longer one */
export function normalizeDistance(cost: number, one: number, other: number): number {
  const longest = Math.max(one, other);
  return longest === 0 ? 0 : cost / longest;
}

/** Weighted edit distances between a growing sequence of sounds and all beginnings of another one. */
export class IncrementalPhonemeEditDistance {
  private row: Float64Array;
  private next: Float64Array;

  /** @param reference result of `encodePhonemes` */
  constructor(private readonly reference: Int32Array) {
    this.row = new Float64Array(reference.length + 1);
    this.next = new Float64Array(reference.length + 1);
    for (const [at, sound] of reference.entries()) this.row[at + 1] = (this.row[at] ?? 0) + gapCost(sound);
  }

  /** @returns what the distance to the whole of the other sequence is at least from now on */
  add(sound: number): number {
    const { row, next, reference } = this;
    const gap = gapCost(sound);
    let before = (row[0] ?? 0) + gap;
    let least = before;
    next[0] = before;
    for (let at = 0; at < reference.length; at += 1) {
      const against = reference[at] ?? 0;
      const replaced = (row[at] ?? 0) + substitutionCost(sound, against);
      const added = (row[at + 1] ?? 0) + gap;
      const omitted = before + gapCost(against);
      before = replaced < added ? replaced : added;
      if (omitted < before) before = omitted;
      next[at + 1] = before;
      if (before < least) least = before;
    }
    [this.row, this.next] = [next, row];
    return least;
  }

  /** The distance between what was added and the first sounds of the other sequence. */
  distanceToPrefix(length: number): number {
    return this.row[length] ?? Infinity;
  }

  /** Like `distanceToPrefix`, without the last sound that was added. */
  distanceToPrefixBeforeLastAdded(length: number): number {
    return this.next[length] ?? Infinity;
  }
}

/** The sounds whose costs differ from those of any other letter. */
const KNOWN_SOUNDS = [
  ...new Set([...VOWELS.keys(), ...SIMILAR_CONSONANTS.flatMap((group) => [...group]), ...WEAK]),
];
const KNOWN_SOUND_IDS: ReadonlyMap<string, number> = new Map(KNOWN_SOUNDS.map((letter, id) => [letter, id]));
const GAP_COSTS = Float64Array.from(KNOWN_SOUNDS, (letter) => (WEAK.has(letter) ? WEAK_COST : 1));
const SUBSTITUTION_COSTS = Float64Array.from(
  KNOWN_SOUNDS.flatMap((one) => KNOWN_SOUNDS.map((other) => computeSubstitutionCost(one, other))),
);

/** Numbers for `IncrementalPhonemeEditDistance`: those of known sounds first, then the code points of others. */
export function encodePhonemes(phonemes: Phonemes): Int32Array {
  return Int32Array.from(
    phonemes,
    (letter) => KNOWN_SOUND_IDS.get(letter) ?? KNOWN_SOUNDS.length + (letter.codePointAt(0) ?? 0),
  );
}

/** Sounds of consecutive parts, such as words. */
export interface EncodedPartSounds {
  /** Results of `encodePhonemes`, joined. */
  sounds: Int32Array;
  /** Index of the first sound of each part, and the number of all sounds. */
  offsets: readonly number[];
}

export function encodePartSounds(parts: readonly Phonemes[]): EncodedPartSounds {
  const offsets = [0];
  for (const part of parts) offsets.push((offsets.at(-1) ?? 0) + part.length);
  return { sounds: encodePhonemes(parts.flat()), offsets };
}

function gapCost(sound: number): number {
  return GAP_COSTS[sound] ?? 1;
}

function substitutionCost(one: number, other: number): number {
  if (one === other) return 0;
  const count = KNOWN_SOUNDS.length;
  return one < count && other < count ? (SUBSTITUTION_COSTS[one * count + other] ?? 1) : 1;
}

function computeSubstitutionCost(one: string, other: string): number {
  if (one === other) return 0;
  const [vowel, otherVowel] = [VOWELS.get(one), VOWELS.get(other)];
  if (vowel && otherVowel) {
    const steps = Math.hypot(vowel[0] - otherVowel[0], vowel[1] - otherVowel[1]);
    return Math.min(MAX_VOWEL_COST, 0.1 + VOWEL_COST_PER_STEP * steps);
  }
  if (vowel || otherVowel) return 1;
  return SIMILAR_CONSONANTS.some((group) => group.has(one) && group.has(other)) ? SIMILAR_COST : 1;
}
