import type { SpeakerCountLimits } from '@app/speech';
import type { SpeakerTurn } from '@app/transcript';

interface DiarizedChannel {
  diarize: DiarizeChannel;
  turns: readonly SpeakerTurn[];
  /** It cannot be divided further. */
  isExhausted: boolean;
}

/** Returns at least one speaker, and at most `max`. */
export type DiarizeChannel = (limits: SpeakerCountLimits) => Promise<readonly SpeakerTurn[]>;

/**
 * Each channel first gets the speakers that are found in it, at least one. While they are too many, the channel with most of
 * them loses one; while they are too few, the channel with most speech for each of them is divided.
 * @param limits of all channels together
 * @returns turns of each channel; more speakers than `max` only if there are more channels
 */
export async function diarizeChannelsWithinSpeakerLimits(
  channels: readonly DiarizeChannel[],
  { min, max }: SpeakerCountLimits,
): Promise<(readonly SpeakerTurn[])[]> {
  const most = Math.max(1, max - channels.length + 1);
  const diarized: DiarizedChannel[] = [];
  for (const diarize of channels)
    diarized.push({ diarize, turns: await diarize({ min: 1, max: most }), isExhausted: false });
  const countAll = () => diarized.reduce((sum, { turns }) => sum + countSpeakers(turns), 0);

  while (countAll() > max) {
    const channel = diarized.toSorted(compareForMerging)[0];
    const count = countSpeakers(channel?.turns ?? []);
    if (!channel || count <= 1) break;
    channel.turns = await channel.diarize({ min: 1, max: count - 1 });
  }
  while (countAll() < min) {
    const channel = diarized.filter(({ isExhausted }) => !isExhausted).toSorted(compareForDividing)[0];
    if (!channel) break;
    const wanted = countSpeakers(channel.turns) + 1;
    const turns = await channel.diarize({ min: wanted, max: wanted });
    if (countSpeakers(turns) === wanted) channel.turns = turns;
    else channel.isExhausted = true;
  }
  return diarized.map(({ turns }) => turns);
}

/** Most speakers first, then the one whose least speaker says least. */
function compareForMerging(a: DiarizedChannel, b: DiarizedChannel): number {
  const leastSeconds = ({ turns }: DiarizedChannel) => Math.min(...sumSeconds(turns).values());
  return countSpeakers(b.turns) - countSpeakers(a.turns) || leastSeconds(a) - leastSeconds(b);
}

function compareForDividing(a: DiarizedChannel, b: DiarizedChannel): number {
  const secondsOfEach = ({ turns }: DiarizedChannel) =>
    [...sumSeconds(turns).values()].reduce((sum, seconds) => sum + seconds, 0) / countSpeakers(turns);
  return secondsOfEach(b) - secondsOfEach(a);
}

function countSpeakers(turns: readonly SpeakerTurn[]): number {
  return sumSeconds(turns).size;
}

function sumSeconds(turns: readonly SpeakerTurn[]): Map<SpeakerTurn['speaker'], number> {
  const seconds = new Map<SpeakerTurn['speaker'], number>();
  for (const { speaker, start, end } of turns)
    seconds.set(speaker, (seconds.get(speaker) ?? 0) + end - start);
  return seconds;
}
