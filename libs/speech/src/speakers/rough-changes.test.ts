import { describe, expect, it } from 'vitest';
import { Breather } from './breather.js';
import { COEFFICIENTS } from './cepstrum.js';
import { roughChanges } from './rough-changes.js';
import { speakersOf } from './speakers-of.js';
import { Cloud } from './testing/cloud.js';
import { VoiceSpace } from './voice-space.js';
import type { VoiceWindow } from './voice-window.js';

const breather = new Breather(new AbortController().signal);
const COUNT = 240;
/** Windows of a turn. */
const TURN = 4;
const ONE = new Array<number>(COEFFICIENTS).fill(0);
/** Hardly further from it than a step within a voice is long. */
const OTHER = ONE.map((_, index) => (index % 2 === 0 ? 2 : 0));

describe('quick turns without a pause', () => {
  it('are nearly all found, with no more that are none', async () => {
    const windows = inTurn([ONE, OTHER]);
    const changes = await roughChanges(windows, new VoiceSpace(windows), breather);
    const right = [...changes].filter((index) => index % TURN === 0).length;
    expect(right / (COUNT / TURN - 1)).toBeGreaterThan(0.9);
    expect(right / changes.size).toBeGreaterThan(0.5);
  });

  it('leave their voices apart', async () => {
    const turns = await speakersOf(inTurn([ONE, OTHER]), breather);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(2);
    expect(turns.length).toBeGreaterThan(0.9 * (COUNT / TURN));
  });

  it('are not made up in what one voice says', async () => {
    expect(await speakersOf(inTurn([ONE]), breather)).toHaveLength(1);
  });
});

/** One window after the other without a pause; each voice scatters by one in every direction. */
function inTurn(voices: readonly (readonly number[])[]): VoiceWindow[] {
  const cloud = new Cloud(17);
  return Array.from({ length: COUNT }, (_, index) => {
    const middle = voices[Math.floor(index / TURN) % voices.length] ?? ONE;
    const [point] = cloud.around(middle, 1);
    return windowAt(index / 2, point?.mean ?? new Float64Array(COEFFICIENTS));
  });
}

function windowAt(start: number, mean: Float64Array): VoiceWindow {
  return { start, end: start + 0.5, frames: 25, voiced: 25, pitch: 7, mean };
}
