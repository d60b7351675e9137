import FFT from 'fft.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';

/** Samples that one pitch is measured on: 64 ms, three periods of the deepest voice. */
export const PITCH_SAMPLES = 1024;

/** Every second sample is enough for a pitch. */
const STEP = 2;
const RATE = SAMPLE_RATE / STEP;
const LENGTH = PITCH_SAMPLES / STEP;
/** Twice the samples, so that their end does not wrap around to their beginning. */
const SIZE = LENGTH * 2;
const SHORTEST_LAG = Math.floor(RATE / 400);
const LONGEST_LAG = Math.ceil(RATE / 60);
/** Likeness to itself one period later (0 to 1) from which on a sound is voiced. */
const VOICED = 0.5;
/** What a lag of double length must gain to be believed: two periods are as alike as one. */
const OCTAVE_COST = 0.02;

/** Pitch of a voice by autocorrelation. */
export class PitchMeter {
  private readonly fft = new FFT(SIZE);
  private readonly input: number[] = this.fft.createComplexArray();
  private readonly spectrum: number[] = this.fft.createComplexArray();
  private readonly correlation: number[] = this.fft.createComplexArray();
  private readonly window = hann(LENGTH);
  private readonly ofWindow = this.correlateWindow();

  /**
   * @param samples 16 kHz mono; beyond its ends there is silence
   * @param at index of the first of `PITCH_SAMPLES` samples
   * @returns log2 of the pitch in hertz; null where the sound has none
   */
  of(samples: Int16Array, at: number): number | null {
    this.load(samples, at);
    this.correlate();
    const whole = this.correlation[0] ?? 0;
    if (whole <= LENGTH) return null;
    return this.bestLag(whole);
  }

  private load(samples: Int16Array, at: number): void {
    let mean = 0;
    this.input.fill(0);
    for (let i = 0; i < LENGTH; i += 1) {
      const from = at + i * STEP;
      const value = ((samples[from] ?? 0) + (samples[from + 1] ?? 0)) / 2;
      this.input[2 * i] = value;
      mean += value / LENGTH;
    }
    for (let i = 0; i < LENGTH; i += 1) {
      this.input[2 * i] = ((this.input[2 * i] ?? 0) - mean) * (this.window[i] ?? 0);
    }
  }

  /** Leaves the autocorrelation of `input` at the even places of `correlation`. */
  private correlate(): void {
    this.fft.transform(this.spectrum, this.input);
    for (let i = 0; i < 2 * SIZE; i += 2) {
      const real = this.spectrum[i] ?? 0;
      const imaginary = this.spectrum[i + 1] ?? 0;
      this.spectrum[i] = real * real + imaginary * imaginary;
      this.spectrum[i + 1] = 0;
    }
    this.fft.inverseTransform(this.correlation, this.spectrum);
  }

  private correlateWindow(): Float64Array {
    this.input.fill(0);
    for (let i = 0; i < LENGTH; i += 1) this.input[2 * i] = this.window[i] ?? 0;
    this.correlate();
    const whole = this.correlation[0] ?? 1;
    return Float64Array.from(
      { length: LONGEST_LAG + 2 },
      (_, lag) => (this.correlation[2 * lag] ?? 0) / whole,
    );
  }

  private bestLag(whole: number): number | null {
    let best: number | null = null;
    let bestStrength = -Infinity;
    for (let lag = SHORTEST_LAG; lag <= LONGEST_LAG; lag += 1) {
      const top = this.topAt(lag, whole);
      if (!top || top.likeness < VOICED) continue;
      const strength = top.likeness - OCTAVE_COST * Math.log2(top.lag);
      if (strength <= bestStrength) continue;
      best = top.lag;
      bestStrength = strength;
    }
    return best === null ? null : Math.log2(RATE / best);
  }

  /**
   * Where a period lies between two samples, its top does too: that of the parabola through the three next to it. By
   * the samples alone a multiple of the period that happens to lie on one would win.
   */
  private topAt(lag: number, whole: number): { lag: number; likeness: number } | null {
    const at = this.likeness(lag, whole);
    const before = this.likeness(lag - 1, whole);
    const after = this.likeness(lag + 1, whole);
    if (at < before || at < after) return null;
    const bend = before - 2 * at + after;
    if (bend === 0) return null;
    const offset = (0.5 * (before - after)) / bend;
    return { lag: lag + offset, likeness: at - 0.25 * (before - after) * offset };
  }

  /** How alike the sound is to itself, so many samples later; what the window takes away is given back. */
  private likeness(lag: number, whole: number): number {
    return (this.correlation[2 * lag] ?? 0) / whole / (this.ofWindow[lag] ?? 1);
  }
}

function hann(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length));
}
