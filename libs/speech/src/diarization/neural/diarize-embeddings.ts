import { agglomerate } from '../agglomerate.js';
import type { CooperativeYield } from '../cooperative-yield.js';
import type { Cluster } from '../cluster.js';
import { mergeTurns, type SpeakerTurn } from '../speaker-turns.js';
import type { LocalSpeaker } from './speaker-embedding.js';

/** A voice of a chunk with its turns on the file's clock. */
export type TimelineSpeaker = LocalSpeaker;

type Span = Omit<SpeakerTurn, 'speaker'>;

/** Seconds of a chunk that a voice speaks from which on its print is taken for clear. */
const MIN_RELIABLE_SECONDS = 1.5;
/** Seconds that a voice has at least in a file; with less it is one of the others. */
const MIN_SPEAKER_SECONDS = { share: 0.05, least: 1, most: 3 };

/**
 * Who speaks when, over a whole file, from the voices of its chunks.
 *
 * Clear prints are joined, the most alike first, as long as the mean cosine between two groups is `alike` or more.
 * Voices that say little are counted to the group that they sound most like; those too short for a print go with the
 * turn that is nearest in time.
 *
 * Works in slices of a few milliseconds between which the event loop turns.
 * @returns turns in order of time; those of different voices may overlap
 */
export async function diarizeEmbeddings(
  voices: readonly TimelineSpeaker[],
  alike: number,
  yielder: CooperativeYield,
): Promise<SpeakerTurn[]> {
  const items = voices.flatMap((voice) => toCluster(voice) ?? []);
  const clear = items.filter(({ weight }) => weight >= MIN_RELIABLE_SECONDS);
  const until = { count: 1, cost: 1 - alike };
  const groups = await agglomerate(clear.length > 0 ? clear : items, cosineDistance, until, yielder);
  const speakers = dropSmallSpeakers(groups);

  const known: SpeakerTurn[] = [];
  const unknown: Span[] = [];
  for (const voice of voices) {
    const item = toCluster(voice);
    if (!item) unknown.push(...voice.turns);
    else {
      const speaker = findNearestSpeaker(item, speakers);
      known.push(...voice.turns.map((turn) => ({ ...turn, speaker })));
    }
    await yielder.yieldIfDue();
  }
  return mergeTurns([...known, ...assignToNearestTurn(unknown, known)]);
}

function toCluster({ print, turns }: TimelineSpeaker): Cluster | null {
  const weight = turns.reduce((sum, { start, end }) => sum + end - start, 0);
  return print && weight > 0 ? { mean: Float64Array.from(print), weight } : null;
}

/** One minus the mean cosine of the prints of the one with those of the other: means of prints of length 1 give it. */
function cosineDistance(a: Cluster, b: Cluster): number {
  let sum = 0;
  for (let i = 0; i < a.mean.length; i += 1) sum += (a.mean[i] ?? 0) * (b.mean[i] ?? 0);
  return 1 - sum;
}

/** Without those too small to be told from chance; the greatest one stays in any case. */
function dropSmallSpeakers(groups: readonly Cluster[]): Cluster[] {
  const weights = groups.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { share, least, most } = MIN_SPEAKER_SECONDS;
  const enough = Math.min(most, Math.max(least, share * total), Math.max(...weights));
  return groups.filter(({ weight }) => weight >= enough);
}

/** By the cosine with the middle of each. */
function findNearestSpeaker(item: Cluster, speakers: readonly Cluster[]): number {
  const cosines = speakers.map(
    (speaker) => (1 - cosineDistance(item, speaker)) / Math.hypot(...speaker.mean),
  );
  return Math.max(0, cosines.indexOf(Math.max(...cosines)));
}

function assignToNearestTurn(turns: readonly Span[], known: readonly SpeakerTurn[]): SpeakerTurn[] {
  return turns.map((turn) => {
    let best = { speaker: 0, apart: Infinity };
    for (const { speaker, start, end } of known) {
      const apart = Math.max(0, start - turn.end, turn.start - end);
      if (apart < best.apart) best = { speaker, apart };
    }
    return { ...turn, speaker: best.speaker };
  });
}
