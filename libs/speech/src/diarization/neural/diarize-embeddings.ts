import type { CooperativeYielder } from '@app/async';
import { clusterAgglomeratively } from '../agglomerative-clustering.js';
import type { Cluster } from '../cluster.js';
import {
  ANY_NUMBER_OF_SPEAKERS,
  mergeIntoSpeakersAndDropStrays,
  type SpeakerCountLimits,
} from '../speaker-count-limits.js';
import { mergeAndRenumberTurns, type SpeakerTurn } from '../speaker-turns.js';
import type { ChunkLocalSpeaker } from './speaker-embedding.js';

type Span = Omit<SpeakerTurn, 'speaker'>;

/** Minimum speech of a speaker within a chunk for a reliable embedding. */
const MIN_RELIABLE_SECONDS = 1.5;
const MIN_SPEAKER_SECONDS = { share: 0.05, least: 1, most: 3 };

/**
 * Clusters the speakers of all chunks into the speakers of the file. Reliable embeddings are merged, most similar
 * first, while the mean cosine of two clusters is at least `similarityThreshold`. Speakers with little speech join the
 * most similar cluster; those without an embedding join the nearest turn in time. Yields to the event loop every few
 * milliseconds.
 * @param speakers turns in seconds from the start of the file
 * @param limits within which their number is, as far as there are embeddings
 * @returns turns in order of time; turns of different speakers may overlap
 */
export async function diarizeEmbeddings(
  speakers: readonly ChunkLocalSpeaker[],
  similarityThreshold: number,
  yielder: CooperativeYielder,
  limits: SpeakerCountLimits = ANY_NUMBER_OF_SPEAKERS,
): Promise<SpeakerTurn[]> {
  const items = speakers.flatMap((speaker) => toCluster(speaker) ?? []);
  const reliable = items.filter(({ weight }) => weight >= MIN_RELIABLE_SECONDS);
  const clusters = await mergeIntoSpeakersAndDropStrays(
    reliable.length >= limits.min ? reliable : items,
    limits,
    (some, { least, most }) => {
      const until = { count: least, cost: 1 - similarityThreshold, maxCount: most };
      return clusterAgglomeratively(some, cosineDistance, until, yielder);
    },
    MIN_SPEAKER_SECONDS,
  );

  const assigned: SpeakerTurn[] = [];
  const unassigned: Span[] = [];
  for (const local of speakers) {
    const item = toCluster(local);
    if (!item) unassigned.push(...local.turns);
    else {
      const speaker = findNearestCluster(item, clusters);
      assigned.push(...local.turns.map((turn) => ({ ...turn, speaker })));
    }
    await yielder.yieldIfDue();
  }
  return mergeAndRenumberTurns([...assigned, ...assignToNearestTurn(unassigned, assigned)]);
}

function toCluster({ embedding, turns }: ChunkLocalSpeaker): Cluster | null {
  const weight = turns.reduce((sum, { start, end }) => sum + end - start, 0);
  return embedding && weight > 0 ? { mean: Float64Array.from(embedding), weight } : null;
}

/** One minus the mean cosine of all pairs, which for unit vectors is the dot product of the means. */
function cosineDistance(a: Cluster, b: Cluster): number {
  let sum = 0;
  for (let i = 0; i < a.mean.length; i += 1) sum += (a.mean[i] ?? 0) * (b.mean[i] ?? 0);
  return 1 - sum;
}

function findNearestCluster(item: Cluster, clusters: readonly Cluster[]): number {
  const cosines = clusters.map(
    (cluster) => (1 - cosineDistance(item, cluster)) / Math.hypot(...cluster.mean),
  );
  return Math.max(0, cosines.indexOf(Math.max(...cosines)));
}

function assignToNearestTurn(turns: readonly Span[], assigned: readonly SpeakerTurn[]): SpeakerTurn[] {
  return turns.map((turn) => {
    let best = { speaker: 0, distance: Infinity };
    for (const { speaker, start, end } of assigned) {
      const distance = Math.max(0, start - turn.end, turn.start - end);
      if (distance < best.distance) best = { speaker, distance };
    }
    return { ...turn, speaker: best.speaker };
  });
}
