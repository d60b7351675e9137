import { describe, expect, it } from 'vitest';
import { Breather } from './breather.js';
import { followVoices } from './follow-voices.js';
import { turnsOf } from './turns.js';
import type { VoiceWindow } from './voice-window.js';

const breather = new Breather(new AbortController().signal);
const VOICES = [0, 6].map((place) => ({ mean: Float64Array.of(place), weight: 50 }));

describe('followVoices', () => {
  it('changes the voice in a pause', async () => {
    expect(await follow('0.1 0.2 0 | 5.8 6.1 6')).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('changes the voice without a pause when several windows say so', async () => {
    expect(await follow('0.1 0.2 0 5.8 6.1 6')).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('does not change it for one odd window', async () => {
    expect(await follow('0.1 0.2 0 4 0 0.3 0')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('believes a short answer between two pauses', async () => {
    expect(await follow('0.1 0.2 0 | 6 | 0.3 0')).toEqual([0, 0, 0, 1, 0, 0]);
  });

  it('has nothing to follow in nothing', async () => {
    expect(await follow('')).toEqual([]);
  });
});

describe('turnsOf', () => {
  it('numbers voices by first appearance and lets a turn go on over a breath, not over a silence', () => {
    const windows = [0, 0.5, 1.3, 5, 6].map((start) => windowAt(start));
    expect(turnsOf(windows, Int32Array.of(3, 3, 3, 3, 1))).toEqual([
      { speaker: 0, start: 0, end: 1.8 },
      { speaker: 0, start: 5, end: 5.5 },
      { speaker: 1, start: 6, end: 6.5 },
    ]);
  });
});

/** Windows by their place on a line; `|` is a pause of a second. */
async function follow(script: string): Promise<number[]> {
  const windows: VoiceWindow[] = [];
  const places: number[] = [];
  let time = 0;
  for (const sign of script.split(' ').filter(Boolean)) {
    if (sign === '|') {
      time += 1;
      continue;
    }
    windows.push(windowAt(time));
    places.push(Number(sign));
    time += 0.5;
  }
  const points = {
    count: places.length,
    at: (index: number) => ({ at: Float64Array.of(places[index] ?? 0), weight: 1 }),
  };
  return [...(await followVoices(windows, points, VOICES, breather))];
}

function windowAt(start: number): VoiceWindow {
  return { start, end: start + 0.5, frames: 25, voiced: 20, pitch: 7, mean: new Float64Array(0) };
}
