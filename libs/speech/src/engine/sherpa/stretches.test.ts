import { describe, expect, it } from 'vitest';
import { SyntheticSound } from '../../vad/testing/synthetic-sound.js';
import { stretchesOf } from './stretches.js';

const talk = (...lengths: number[]) => {
  const sound = new SyntheticSound().noise(0.5, 20);
  for (const seconds of lengths) sound.babble(seconds, 8000, 20).noise(0.6, 20);
  return sound.samples();
};

describe('stretchesOf', () => {
  it('finds none where nobody talks', () => {
    expect(stretchesOf(new Int16Array(0), 10)).toEqual([]);
    expect(stretchesOf(new SyntheticSound().silence(5).samples(), 10)).toEqual([]);
  });

  it('joins what fits, parts at pauses, and knows where in it is talk', () => {
    const stretches = stretchesOf(talk(2, 2, 2), 6);
    expect(stretches.map(({ talk: parts }) => parts.length)).toEqual([2, 1]);
    for (const { start, end, talk: parts } of stretches) {
      expect(end - start).toBeLessThanOrEqual(6);
      expect(start).toBeLessThan(parts[0]?.start ?? 0);
      expect(end).toBeGreaterThan(parts.at(-1)?.end ?? Infinity);
    }
    expect(stretches[1]?.start).toBeGreaterThanOrEqual(stretches[0]?.end ?? Infinity);
  });

  it('cuts talk that knows no pause where it is quietest, and loses nothing of it', () => {
    const samples = new SyntheticSound().noise(0.5, 20).babble(9, 8000, 20).noise(0.5, 20).samples();
    samples.fill(0, 3.1 * 16_000, 3.14 * 16_000);
    const stretches = stretchesOf(samples, 4);
    expect(stretches.length).toBeGreaterThanOrEqual(3);
    expect(stretches[0]?.talk[0]?.end).toBeCloseTo(3.12, 1);
    stretches.slice(1).forEach(({ start }, index) => expect(start).toBe(stretches[index]?.end));
  });
});
