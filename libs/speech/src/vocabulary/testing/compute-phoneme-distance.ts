import {
  encodePhonemes,
  canBeWithinDistance,
  IncrementalPhonemeEditDistance,
  type Phonemes,
  normalizeDistance,
} from '../phoneme-distance.js';

/**
 * Weighted edit distance, as a share of the longer sequence: 0 for the same sounds.
 * @param limit above which the result may be any value above it
 */
export function computePhonemeDistance(one: Phonemes, other: Phonemes, limit = 1): number {
  const longest = Math.max(one.length, other.length);
  if (!canBeWithinDistance(limit, one.length, other.length)) return Infinity;
  const distance = new IncrementalPhonemeEditDistance(encodePhonemes(other));
  for (const sound of encodePhonemes(one)) if (distance.add(sound) > limit * longest) return Infinity;
  return normalizeDistance(distance.distanceToPrefix(other.length), one.length, other.length);
}
