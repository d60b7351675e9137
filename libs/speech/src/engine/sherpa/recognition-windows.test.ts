import { describe, expect, it } from 'vitest';
import { SyntheticSound } from '../../vad/testing/synthetic-sound.js';
import { splitIntoWindows } from './recognition-windows.js';

const talk = (...lengths: number[]) => {
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
    const stretches = splitIntoWindows(talk(2, 2, 2), 6);
    expect(stretches.map(({ utterances: parts }) => parts.length)).toEqual([2, 1]);
    for (const { start, end, utterances: parts } of stretches) {
      expect(end - start).toBeLessThanOrEqual(6);
      expect(start).toBeLessThan(parts[0]?.start ?? 0);
      expect(end).toBeGreaterThan(parts.at(-1)?.end ?? Infinity);
    }
    expect(stretches[1]?.start).toBeGreaterThanOrEqual(stretches[0]?.end ?? Infinity);
  });

  it('speech without pauses is split at its quietest moment without loss', () => {
    const samples = new SyntheticSound().noise(0.5, 20).babble(9, 8000, 20).noise(0.5, 20).samples();
    samples.fill(0, 3.1 * 16_000, 3.14 * 16_000);
    const stretches = splitIntoWindows(samples, 4);
    expect(stretches.length).toBeGreaterThanOrEqual(3);
    expect(stretches[0]?.utterances[0]?.end).toBeCloseTo(3.12, 1);
    stretches.slice(1).forEach(({ start }, index) => expect(start).toBe(stretches[index]?.end));
  });
});
