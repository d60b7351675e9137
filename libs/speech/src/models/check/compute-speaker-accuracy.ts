import type { SpeakerTurn } from '../../diarization/speaker-turns.js';

export interface DialogueTurn {
  speaker: string;
  text: string;
  /** Seconds from the start of the file. */
  start: number;
  end: number;
}

/**
 * The share of the time of the turns in which the found speaker is the right one. Each found label stands for one speaker at
 * most, so that one label for all is not right.
 */
export function computeSpeakerAccuracy(
  turns: readonly DialogueTurn[],
  found: readonly SpeakerTurn[],
): number {
  const seconds = new Map<string, Map<number, number>>();
  for (const turn of turns) {
    const byLabel = seconds.get(turn.speaker) ?? new Map<number, number>();
    seconds.set(turn.speaker, byLabel);
    for (const { speaker, start, end } of found) {
      const overlap = Math.min(turn.end, end) - Math.max(turn.start, start);
      if (overlap > 0) byLabel.set(speaker, (byLabel.get(speaker) ?? 0) + overlap);
    }
  }
  const total = turns.reduce((sum, { start, end }) => sum + end - start, 0);
  return total === 0 ? 1 : Math.min(1, findBestMatch([...seconds.values()], new Set()) / total);
}

/** A dialogue has few speakers, so that all assignments are tried. */
function findBestMatch(speakers: readonly Map<number, number>[], taken: ReadonlySet<number>): number {
  const [first, ...others] = speakers;
  if (!first) return 0;
  const withLabel = [...first].flatMap(([label, seconds]) =>
    taken.has(label) ? [] : [seconds + findBestMatch(others, new Set([...taken, label]))],
  );
  return Math.max(findBestMatch(others, taken), ...withLabel);
}
