import { describe, expect, it } from 'vitest';
import { SyntheticSound } from '../../vad/testing/synthetic-sound.js';
import { splitIntoWindows } from './recognition-windows.js';

const speechOf = (...lengths: number[]) => {
  const sound = new SyntheticSound().noise(0.5, 20);
  for (const seconds of lengths) sound.babble(seconds, 8000, 20).noise(0.6, 20);
  return sound.samples();
};

describe('splitIntoWindows', () => {
  it('audio without speech yields no window', () => {
    expect(splitIntoWindows(new Int16Array(0), 10)).toEqual([]);
    expect(splitIntoWindows(new SyntheticSound().silence(5).samples(), 10)).toEqual([]);
  });

  it('utterances that fit share a window, which splits at pauses and lists its utterances', () => {
    const windows = splitIntoWindows(speechOf(2, 2, 2), 6);
    expect(windows.map(({ utterances: parts }) => parts.length)).toEqual([2, 1]);
    for (const { start, end, utterances: parts } of windows) {
      expect(end - start).toBeLessThanOrEqual(6);
      expect(start).toBeLessThan(parts[0]?.start ?? 0);
      expect(end).toBeGreaterThan(parts.at(-1)?.end ?? Infinity);
    }
    expect(windows[1]?.start).toBeGreaterThanOrEqual(windows[0]?.end ?? Infinity);
  });

  it('speech without pauses is split at its quietest moment without loss', () => {
    const samples = new SyntheticSound().noise(0.5, 20).babble(9, 8000, 20).noise(0.5, 20).samples();
    samples.fill(0, 3.1 * 16_000, 3.14 * 16_000);
    const windows = splitIntoWindows(samples, 4);
    expect(windows.length).toBeGreaterThanOrEqual(3);
    expect(windows[0]?.utterances[0]?.end).toBeCloseTo(3.12, 1);
    windows.slice(1).forEach(({ start }, index) => expect(start).toBe(windows[index]?.end));
  });
});
