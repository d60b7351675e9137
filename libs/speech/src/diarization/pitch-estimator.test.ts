import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { PITCH_WINDOW_SAMPLES, PitchEstimator } from './pitch-estimator.js';

const meter = new PitchEstimator();

describe('PitchEstimator', () => {
  it.each([75, 98, 120, 171, 220, 330])('estimates %d Hz in a sound rich in overtones', (hertz) => {
    const log2Pitch = meter.estimateLog2(pulses(hertz), 400);
    expect(2 ** (log2Pitch ?? 0) / hertz).toBeGreaterThan(0.98);
    expect(2 ** (log2Pitch ?? 0) / hertz).toBeLessThan(1.02);
  });

  it.each([
    ['noise', new SyntheticSoundBuilder(5).noise(0.2, 5_000).samples()],
    ['silence', new SyntheticSoundBuilder().silence(0.2).samples()],
    ['a constant offset', new Int16Array(3 * PITCH_WINDOW_SAMPLES).fill(900)],
  ])('finds no pitch in %s', (_, samples) => {
    expect(meter.estimateLog2(samples, 0)).toBeNull();
  });
});

/** A pulse a period, each ringing out: much like a vowel. */
function pulses(hertz: number): Int16Array {
  return Int16Array.from({ length: 2 * PITCH_WINDOW_SAMPLES }, (_, at) => {
    const since = at % (SAMPLE_RATE / hertz);
    return 9_000 * Math.exp(-since / 30) * Math.cos((2 * Math.PI * 700 * since) / SAMPLE_RATE);
  });
}
