import { countSounds } from './sounds.js';

/** What has fewer sounds than this is in half of all sentences by chance. */
const FEWEST_SOUNDS = 3;
/** By the number of sounds, from `FEWEST_SOUNDS` on; longer terms have the last. */
const LIKELIHOODS = [1e-6, 1e-5, 1e-4, 1e-4, 1e-3];

/** The sounds that are long enough to be listened for: of `US`, how the letters are named, but not how `us` sounds. */
export function longEnough(sounds: readonly string[]): string[] {
  return sounds.filter((sound) => countSounds(sound) >= FEWEST_SOUNDS);
}

/**
 * How likely a term is made at any place of the text, 0 to 1, from its shortest sound: the shorter, the more easily it
 * is heard where something else was said. Null when there is none, or `usual` (how likely it is anyway) is more.
 */
export function likelihoodOf(sounds: readonly string[], usual: number): number | null {
  if (sounds.length === 0) return null;
  const shortest = Math.min(...sounds.map(countSounds));
  const raised = LIKELIHOODS[Math.min(shortest - FEWEST_SOUNDS, LIKELIHOODS.length - 1)] ?? 0;
  return raised > usual ? raised : null;
}
