import { type Cluster, dropSmallClusters, type MinClusterWeightRule } from './cluster.js';

/** How many speakers a recording has, as far as its caller knows. */
export interface SpeakerCountLimits {
  min: number;
  /** `Infinity` if unknown. */
  max: number;
}

export const ANY_NUMBER_OF_SPEAKERS: SpeakerCountLimits = { min: 1, max: Infinity };

/** Merges while more than `most` remain, however different; then while they are similar and more than `least` remain. */
type Merge = (
  clusters: readonly Cluster[],
  limits: { least: number; most: number },
) => Cluster[] | Promise<Cluster[]>;

/** Attempts with a cluster more each, in case stray sounds are among them. */
const MAX_STRAY_CLUSTERS = 12;

/**
 * Merges clusters into speakers and drops those with very little speech. Stray sounds do not count as speakers: those are
 * dropped first, and only then clusters are merged that are not similar.
 * @param minWeight of a speaker; the largest clusters are kept even below it, if `min` requires it
 */
export async function mergeIntoSpeakersAndDropStrays(
  clusters: readonly Cluster[],
  { min, max }: SpeakerCountLimits,
  merge: Merge,
  minWeight?: MinClusterWeightRule,
): Promise<Cluster[]> {
  let merged: Cluster[] = [];
  let speakers: Cluster[] = [];
  for (let stray = 0; stray <= MAX_STRAY_CLUSTERS; stray += 1) {
    const count = merged.length;
    merged = await merge(clusters, { least: min + stray, most: Infinity });
    speakers = dropSmallClusters(merged, minWeight);
    if (speakers.length >= min || (stray > 0 && merged.length === count)) break;
  }
  if (speakers.length < min) speakers = keepLargest(merged, min);
  return speakers.length > max ? merge(speakers, { least: 1, most: max }) : speakers;
}

function keepLargest(clusters: readonly Cluster[], count: number): Cluster[] {
  const kept = new Set(clusters.toSorted((a, b) => b.weight - a.weight).slice(0, count));
  return clusters.filter((cluster) => kept.has(cluster));
}
