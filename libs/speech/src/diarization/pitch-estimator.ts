import FFT from 'fft.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** Samples that one pitch is measured on: 64 ms, three periods of the deepest voice. */
export const PITCH_SAMPLES = 1024;

/** Every second sample is enough for a pitch. */
const DECIMATION = 2;
const DECIMATED_RATE = SAMPLE_RATE / DECIMATION;
const DECIMATED_SAMPLES = PITCH_SAMPLES / DECIMATION;
/** Twice the samples, so that their end does not wrap around to their beginning. */
const FFT_SIZE = DECIMATED_SAMPLES * 2;
const MIN_LAG = Math.floor(DECIMATED_RATE / 400);
const MAX_LAG = Math.ceil(DECIMATED_RATE / 60);
/** Likeness to itself one period later (0 to 1) from which on a sound is voiced. */
const MIN_VOICED_SIMILARITY = 0.5;
/** What a lag of double length must gain to be believed: two periods are as alike as one. */
const OCTAVE_COST = 0.02;

/** Pitch of a voice by autocorrelation. */
export class PitchEstimator {
  private readonly fft = new FFT(FFT_SIZE);
  /** The sound, and behind it as many zeros. */
  private readonly input = new Float64Array(FFT_SIZE);
  /** Of complex numbers the first half: that of a real series says the same twice. */
  private readonly spectrum: number[] = this.fft.createComplexArray();
  private readonly power = new Float64Array(FFT_SIZE);
  private readonly correlation: number[] = this.fft.createComplexArray();
  /** By the lag, as far as pitches go. */
  private readonly similarity = new Float64Array(MAX_LAG + 2);
  private readonly window = hannWindow(DECIMATED_SAMPLES);
  private readonly windowCorrelation = this.correlateWindow();

  /**
   * @param samples 16 kHz mono; beyond its ends there is silence
   * @param at index of the first of `PITCH_SAMPLES` samples
   * @returns log2 of the pitch in hertz; null where the sound has none
   */
  estimate(samples: Int16Array, at: number): number | null {
    this.load(samples, at);
    this.correlate();
    const whole = this.correlation[0] ?? 0;
    if (whole <= DECIMATED_SAMPLES * FFT_SIZE) return null;
    for (let lag = MIN_LAG - 1; lag < this.similarity.length; lag += 1)
      this.similarity[lag] = this.similarityAt(lag, whole);
    return this.bestLag();
  }

  private load(samples: Int16Array, at: number): void {
    let mean = 0;
    for (let i = 0; i < DECIMATED_SAMPLES; i += 1) {
      const from = at + i * DECIMATION;
      const value = ((samples[from] ?? 0) + (samples[from + 1] ?? 0)) / 2;
      this.input[i] = value;
      mean += value / DECIMATED_SAMPLES;
    }
    for (let i = 0; i < DECIMATED_SAMPLES; i += 1) {
      this.input[i] = ((this.input[i] ?? 0) - mean) * (this.window[i] ?? 0);
    }
  }

  /**
   * Leaves the autocorrelation of `input`, `SIZE` times as great, at the even places of `correlation`. The way back is
   * the way there: the power of a real series is real and the same on both sides.
   */
  private correlate(): void {
    this.fft.realTransform(this.spectrum, this.input);
    for (let bin = 0; bin <= FFT_SIZE / 2; bin += 1) {
      const real = this.spectrum[2 * bin] ?? 0;
      const imaginary = this.spectrum[2 * bin + 1] ?? 0;
      const power = real * real + imaginary * imaginary;
      this.power[bin] = power;
      this.power[(FFT_SIZE - bin) % FFT_SIZE] = power;
    }
    this.fft.realTransform(this.correlation, this.power);
  }

  private correlateWindow(): Float64Array {
    this.input.set(this.window);
    this.correlate();
    const whole = this.correlation[0] ?? 1;
    return Float64Array.from({ length: MAX_LAG + 2 }, (_, lag) => (this.correlation[2 * lag] ?? 0) / whole);
  }

  private bestLag(): number | null {
    let best: number | null = null;
    let bestStrength = -Infinity;
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
      const top = this.peakAt(lag);
      if (!top || top.likeness < MIN_VOICED_SIMILARITY) continue;
      const strength = top.likeness - OCTAVE_COST * Math.log2(top.lag);
      if (strength <= bestStrength) continue;
      best = top.lag;
      bestStrength = strength;
    }
    return best === null ? null : Math.log2(DECIMATED_RATE / best);
  }

  /**
   * Where a period lies between two samples, its top does too: that of the parabola through the three next to it. By
   * the samples alone a multiple of the period that happens to lie on one would win.
   */
  private peakAt(lag: number): { lag: number; likeness: number } | null {
    const at = this.similarity[lag] ?? 0;
    const before = this.similarity[lag - 1] ?? 0;
    const after = this.similarity[lag + 1] ?? 0;
    if (at < before || at < after) return null;
    const bend = before - 2 * at + after;
    if (bend === 0) return null;
    const offset = (0.5 * (before - after)) / bend;
    return { lag: lag + offset, likeness: at - 0.25 * (before - after) * offset };
  }

  /** How alike the sound is to itself, so many samples later; what the window takes away is given back. */
  private similarityAt(lag: number, whole: number): number {
    return (this.correlation[2 * lag] ?? 0) / whole / (this.windowCorrelation[lag] ?? 1);
  }
}

function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length));
}
