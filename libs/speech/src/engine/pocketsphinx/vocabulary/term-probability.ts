import { countPhones } from './pronunciations.js';

/** What has fewer sounds than this is in half of all sentences by chance. */
const MIN_PHONES = 3;
/** By the number of sounds, from `MIN_PHONES` on; longer terms have the last. */
const PROBABILITIES = [1e-6, 1e-5, 1e-4, 1e-4, 1e-3];

/** The sounds that are long enough to be listened for: of `US`, how the letters are named, but not how `us` sounds. */
export function dropShortPronunciations(sounds: readonly string[]): string[] {
  return sounds.filter((sound) => countPhones(sound) >= MIN_PHONES);
}

/**
 * How likely a term is made at any place of the text, 0 to 1, from its shortest sound: the shorter, the more easily it
 * is heard where something else was said. Null when there is none, or `usual` (how likely it is anyway) is more.
 */
export function termProbability(sounds: readonly string[], usual: number): number | null {
  if (sounds.length === 0) return null;
  const shortest = Math.min(...sounds.map(countPhones));
  const raised = PROBABILITIES[Math.min(shortest - MIN_PHONES, PROBABILITIES.length - 1)] ?? 0;
  return raised > usual ? raised : null;
}
