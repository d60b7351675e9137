import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from './testing/synthetic-sound-builder.js';
import { detectPaddedUtterances, joinAcrossShortPauses } from './utterances.js';

const find = (sound: SyntheticSoundBuilder) => {
  const samples = sound.samples();
  return detectPaddedUtterances(samples, samples.length / 16_000);
};

describe('detectPaddedUtterances', () => {
  it('silence has no utterance', () => {
    expect(find(new SyntheticSoundBuilder().silence(5))).toEqual([]);
  });

  it('utterances are split at pauses and do not overlap', () => {
    const sound = new SyntheticSoundBuilder()
      .babble(2, 8000, 20)
      .noise(0.5, 20)
      .babble(2, 8000, 20)
      .noise(2, 20);
    const [first, second, ...more] = find(sound.babble(1, 8000, 20).noise(1, 20));
    expect(more).toHaveLength(1);
    expect(first?.start).toBe(0);
    expect(first?.end).toBeGreaterThan(2);
    expect(second?.start).toBeGreaterThanOrEqual(first?.end ?? Infinity);
    expect(second?.start).toBeLessThan(2.5);
  });

  it('a pause of exactly the separating length separates wherever it is', () => {
    for (let frame = 0; frame < 500; frame += 1) {
      const [end, start] = [frame / 50, (frame + 15) / 50];
      expect(
        joinAcrossShortPauses([
          { start: 0, end },
          { start, end: 20 },
        ]),
        `at ${end}`,
      ).toHaveLength(2);
    }
  });

  it('utterances stay within the chunk', () => {
    expect(
      find(new SyntheticSoundBuilder().babble(1, 8000, 20)).map((one) => [one.start, one.end <= 1]),
    ).toEqual([[0, true]]);
  });
});
