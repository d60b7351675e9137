import type { BoundedWork } from './bounded-work.js';
import {
  type EncodedParts,
  encodeParts,
  encodePhonemes,
  mayBeWithin,
  PhonemeDistanceRows,
  toShare,
} from './phoneme-distance.js';
import type { TermWithPronunciations } from './vocabulary-terms.js';

/** Recognized words that may be the parts of a term up to, not including, `toPart`. */
export interface ComparedSpan {
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

/** Share of the sounds of the longer one. */
const MAX_DISTANCE = 0.28;
/** Shorter ones must sound the same: too many words are like them. */
const MIN_INEXACT_PHONEMES = 4;
const SIBILANTS = new Set(encodePhonemes(['s', 'z']));

/** Compares the sounds of a term with those of recognized words. */
export class TermComparer {
  private readonly readings: readonly EncodedParts[];

  constructor(readonly term: TermWithPronunciations) {
    const readings = term.readings.map(encodeParts);
    // Voices often say a name alike.
    const distinct = new Map(readings.map((each) => [`${each.sounds.join()} ${each.offsets.join()}`, each]));
    this.readings = [...distinct.values()];
  }

  /**
   * @param heard sounds of the longest span @param fromPart of the term @param spans of words from the same one on, shorter ones first
   * @returns of each span; null if it is not similar
   */
  compare(
    heard: Int32Array,
    fromPart: number,
    spans: readonly ComparedSpan[],
    work: BoundedWork,
  ): (TermSimilarity | null)[] {
    const best = spans.map((): TermSimilarity | null => null);
    for (const { sounds, offsets } of this.readings) {
      const first = offsets[fromPart] ?? 0;
      compareReading(
        heard,
        sounds.subarray(first),
        spans.map((span) => ({ heard: span.sounds, said: (offsets[span.toPart] ?? 0) - first })),
        best,
        work,
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

/** @param pairs in the order of `heard` @param best of each pair; lowered in place */
function compareReading(
  heard: Int32Array,
  said: Int32Array,
  pairs: readonly Lengths[],
  best: (TermSimilarity | null)[],
  work: BoundedWork,
): void {
  const lastPair = pairs.findLastIndex((pair) => mayBeSimilar(pair));
  if (lastPair < 0) return;
  // Of the longest pair: shorter ones must be more similar.
  const limit =
    MAX_DISTANCE * Math.max(...pairs.slice(0, lastPair + 1).map((pair) => Math.max(pair.heard, pair.said)));
  const rows = new PhonemeDistanceRows(said);
  let added = 0;
  let least = 0;
  for (const [index, pair] of pairs.slice(0, lastPair + 1).entries()) {
    for (; added < pair.heard && least <= limit; added += 1) least = rows.add(heard[added] ?? 0);
    if (added < pair.heard) break;
    if (!mayBeSimilar(pair)) continue;
    lower(best, index, { distance: measure(pair, rows.costOf(pair.said)), hasSuffix: false });
    const mayHaveSuffix =
      SIBILANTS.has(heard[pair.heard - 1] ?? -1) && !SIBILANTS.has(said[pair.said - 1] ?? -1);
    if (!mayHaveSuffix) continue;
    const withoutSuffix = { ...pair, heard: pair.heard - 1 };
    lower(best, index, { distance: measure(withoutSuffix, rows.costBefore(pair.said)), hasSuffix: true });
  }
  work.countComparisons(added * said.length);
}

/** Also if one sound of what was heard is a suffix. */
function mayBeSimilar({ heard, said }: Lengths): boolean {
  return mayBeWithin(MAX_DISTANCE, heard, said) || mayBeWithin(MAX_DISTANCE, heard - 1, said);
}

function measure({ heard, said }: Lengths, cost: number): number {
  const distance = toShare(cost, heard, said);
  const isShort = Math.min(heard, said) < MIN_INEXACT_PHONEMES;
  return isShort && distance > 0 ? Infinity : distance;
}

function lower(best: (TermSimilarity | null)[], index: number, found: TermSimilarity): void {
  if (found.distance <= MAX_DISTANCE && found.distance < (best[index]?.distance ?? Infinity))
    best[index] = found;
}
