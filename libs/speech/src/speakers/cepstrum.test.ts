import { describe, expect, it } from 'vitest';
import { SyntheticSound } from '../vad/testing/synthetic-sound.js';
import { Cepstrum, COEFFICIENTS } from './cepstrum.js';
import { squaredDistance } from './cluster.js';

const cepstrum = new Cepstrum();

describe('Cepstrum', () => {
  it('is the same for the same sound at another loudness', () => {
    const quiet = new SyntheticSound(3).noise(0.1, 2_000).samples();
    const loud = quiet.map((sample) => sample * 8);
    const distance = squaredDistance(cepstrum.of(quiet, 0), cepstrum.of(loud, 0));
    expect(distance).toBeLessThan(0.01);
  });

  it('tells sounds of different shape apart', () => {
    const low = cepstrum.of(new SyntheticSound().tone(0.1, 8_000, 300).samples(), 0);
    const high = cepstrum.of(new SyntheticSound().tone(0.1, 8_000, 3_000).samples(), 0);
    expect(squaredDistance(low, high)).toBeGreaterThan(50);
  });

  it('is all zero, and finite, for silence and beyond the ends', () => {
    const silence = new SyntheticSound().silence(0.1).samples();
    for (const at of [0, -400, 5_000]) {
      const values = cepstrum.of(silence, at);
      expect(values).toHaveLength(COEFFICIENTS);
      for (const value of values) expect(Math.abs(value)).toBeLessThan(1e-9);
    }
  });
});
