import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { MfccExtractor, MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import { computeSquaredDistance } from './cluster.js';

const cepstrum = new MfccExtractor();

describe('MfccExtractor', () => {
  it('the coefficients do not depend on loudness', () => {
    const quiet = new SyntheticSoundBuilder(3).noise(0.1, 2_000).samples();
    const loud = quiet.map((sample) => sample * 8);
    const distance = computeSquaredDistance(cepstrum.extract(quiet, 0), cepstrum.extract(loud, 0));
    expect(distance).toBeLessThan(0.01);
  });

  it('sounds of different spectral shape have different coefficients', () => {
    const low = cepstrum.extract(new SyntheticSoundBuilder().tone(0.1, 8_000, 300).samples(), 0);
    const high = cepstrum.extract(new SyntheticSoundBuilder().tone(0.1, 8_000, 3_000).samples(), 0);
    expect(computeSquaredDistance(low, high)).toBeGreaterThan(50);
  });

  it('silence and positions outside the audio yield zeros', () => {
    const silence = new SyntheticSoundBuilder().silence(0.1).samples();
    for (const at of [0, -400, 5_000]) {
      const values = cepstrum.extract(silence, at);
      expect(values).toHaveLength(MFCC_COEFFICIENT_COUNT);
      for (const value of values) expect(Math.abs(value)).toBeLessThan(1e-9);
    }
  });
});
