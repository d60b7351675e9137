import { describe, expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import { findViterbiPath } from './viterbi-path.js';
import { buildTurns } from './speaker-turns.js';
import type { AcousticWindow } from './acoustic-window.js';

const yielder = new CooperativeYielder(new AbortController().signal);
const VOICES = [0, 6].map((place) => ({ mean: Float64Array.of(place), weight: 50 }));

describe('findViterbiPath', () => {
  it('the speaker changes in a pause', async () => {
    expect(await follow('0.1 0.2 0 | 5.8 6.1 6')).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('the speaker changes without a pause when several windows support it', async () => {
    expect(await follow('0.1 0.2 0 5.8 6.1 6')).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('a single outlier window does not change the speaker', async () => {
    expect(await follow('0.1 0.2 0 4 0 0.3 0')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('a short answer between two pauses is a turn of its own', async () => {
    expect(await follow('0.1 0.2 0 | 6 | 0.3 0')).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('no windows yield an empty path', async () => {
    expect(await follow('')).toEqual([]);
  });
});

describe('buildTurns', () => {
  it('speakers are numbered by first appearance, and a turn continues over a short gap only', () => {
    const windows = [0, 0.5, 1.3, 5, 6].map((start) => windowAt(start));
    expect(buildTurns(windows, Int32Array.of(3, 3, 3, 3, 1))).toEqual([
      { speaker: 0, start: 0, end: 1.8 },
      { speaker: 0, start: 5, end: 5.5 },
      { speaker: 1, start: 6, end: 6.5 },
    ]);
  });
});

/** Windows by their place on a line; `|` is a pause of a second. */
async function follow(script: string): Promise<number[]> {
  const windows: AcousticWindow[] = [];
  const positions: number[] = [];
  let time = 0;
  for (const sign of script.split(' ').filter(Boolean)) {
    if (sign === '|') {
      time += 1;
      continue;
    }
    windows.push(windowAt(time));
    positions.push(Number(sign));
    time += 0.5;
  }
  const points = {
    count: positions.length,
    at: (index: number) => ({ vector: Float64Array.of(positions[index] ?? 0), weight: 1 }),
  };
  return [...(await findViterbiPath(windows, points, VOICES, yielder))];
}

function windowAt(start: number): AcousticWindow {
  return { start, end: start + 0.5, frames: 25, voiced: 20, pitch: 7, mean: new Float64Array(0) };
}
