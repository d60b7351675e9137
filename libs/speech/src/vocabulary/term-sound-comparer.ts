import type { CorrectionBudget } from './correction-budget.js';
import {
  type EncodedPartSounds,
  encodePartSounds,
  encodePhonemes,
  canBeWithinDistance,
  IncrementalPhonemeEditDistance,
  normalizeDistance,
} from './phoneme-distance.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** Recognized words that may be the parts of a term up to, not including, `toPart`. */
export interface WordsOfTermParts {
  toPart: number;
  /** Number of sounds of the words. */
  sounds: number;
}

export interface TermSimilarity {
  /** Weighted edit distance, as a share of the longer sequence. */
  distance: number;
  /** The words are the term with an s: a genitive or a plural. */
  hasSuffix: boolean;
}

/** Share of the sounds of the longer sequence. */
const MAX_DISTANCE = 0.28;
/** Shorter words must sound the same: too many are like them. */
const MIN_INEXACT_PHONEMES = 4;
const SIBILANTS = new Set(encodePhonemes(['s', 'z']));

/** Compares the sounds of a term with those of recognized words. */
export class TermSoundComparer {
  private readonly readings: readonly EncodedPartSounds[];

  constructor(readonly term: TermWithPronunciations) {
    const readings = term.readings.map(encodePartSounds);
    // Voices often say a name alike.
    const distinct = new Map(readings.map((each) => [`${each.sounds.join()} ${each.offsets.join()}`, each]));
    this.readings = [...distinct.values()];
  }

  /**
   * @param heard sounds of the longest span @param fromPart of the term @param spans of words from the same one on, shorter ones first
   * @returns the similarity of each span; null if it is not similar
   */
  compare(
    heard: Int32Array,
    fromPart: number,
    spans: readonly WordsOfTermParts[],
    budget: CorrectionBudget,
  ): (TermSimilarity | null)[] {
    const best = spans.map((): TermSimilarity | null => null);
    for (const { sounds, offsets } of this.readings) {
      const first = offsets[fromPart] ?? 0;
      compareReading(
        heard,
        sounds.subarray(first),
        spans.map((span) => ({ heard: span.sounds, said: (offsets[span.toPart] ?? 0) - first })),
        best,
        budget,
      );
    }
    return best;
  }
}

/** How many sounds are compared with each other, from the first ones on. */
interface Lengths {
  heard: number;
  said: number;
}

/** @param pairs in the order of `heard` @param best the most similar reading of each pair; replaced in place */
function compareReading(
  heard: Int32Array,
  said: Int32Array,
  pairs: readonly Lengths[],
  best: (TermSimilarity | null)[],
  budget: CorrectionBudget,
): void {
  const lastPair = pairs.findLastIndex((pair) => mayBeSimilar(pair));
  if (lastPair < 0) return;
  // The limit of the longest pair, as shorter ones must be more similar.
  const limit =
    MAX_DISTANCE * Math.max(...pairs.slice(0, lastPair + 1).map((pair) => Math.max(pair.heard, pair.said)));
  const distance = new IncrementalPhonemeEditDistance(said);
  let added = 0;
  let least = 0;
  for (const [index, pair] of pairs.slice(0, lastPair + 1).entries()) {
    for (; added < pair.heard && least <= limit; added += 1) least = distance.add(heard[added] ?? 0);
    if (added < pair.heard) break;
    if (!mayBeSimilar(pair)) continue;
    keepMoreSimilar(best, index, {
      distance: measure(pair, distance.distanceToPrefix(pair.said)),
      hasSuffix: false,
    });
    const mayHaveSuffix =
      SIBILANTS.has(heard[pair.heard - 1] ?? -1) && !SIBILANTS.has(said[pair.said - 1] ?? -1);
    if (!mayHaveSuffix) continue;
    const withoutSuffix = { ...pair, heard: pair.heard - 1 };
    keepMoreSimilar(best, index, {
      distance: measure(withoutSuffix, distance.distanceToPrefixBeforeLastAdded(pair.said)),
      hasSuffix: true,
    });
  }
  budget.countComparisons(added * said.length);
}

/** Whether the sounds, or those heard without a suffix of one sound, may be similar. */
function mayBeSimilar({ heard, said }: Lengths): boolean {
  return canBeWithinDistance(MAX_DISTANCE, heard, said) || canBeWithinDistance(MAX_DISTANCE, heard - 1, said);
}

function measure({ heard, said }: Lengths, cost: number): number {
  const distance = normalizeDistance(cost, heard, said);
  const isShort = Math.min(heard, said) < MIN_INEXACT_PHONEMES;
  return isShort && distance > 0 ? Infinity : distance;
}

function keepMoreSimilar(best: (TermSimilarity | null)[], index: number, found: TermSimilarity): void {
  if (found.distance <= MAX_DISTANCE && found.distance < (best[index]?.distance ?? Infinity))
    best[index] = found;
}
