import FFT from 'fft.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** Samples per estimate: 64 ms, three periods of the lowest voice. */
export const PITCH_WINDOW_SAMPLES = 1024;

/** Half the sampling rate is enough for a pitch. */
const DECIMATION = 2;
const DECIMATED_RATE = SAMPLE_RATE / DECIMATION;
const DECIMATED_SAMPLES = PITCH_WINDOW_SAMPLES / DECIMATION;
/** Zero padding keeps the circular autocorrelation from wrapping around. */
const FFT_SIZE = DECIMATED_SAMPLES * 2;
const MIN_LAG = Math.floor(DECIMATED_RATE / 400);
const MAX_LAG = Math.ceil(DECIMATED_RATE / 60);
const MIN_VOICED_SIMILARITY = 0.5;
/** Penalty per octave of lag, because multiples of the period correlate equally well. */
const OCTAVE_COST = 0.02;

export class PitchEstimator {
  private readonly fft = new FFT(FFT_SIZE);
  /** Signal, zero-padded. */
  private readonly input = new Float64Array(FFT_SIZE);
  /** Complex, only the first half: the rest is redundant for a real signal. */
  private readonly spectrum: number[] = this.fft.createComplexArray();
  private readonly power = new Float64Array(FFT_SIZE);
  private readonly correlation: number[] = this.fft.createComplexArray();
  /** Normalized autocorrelation by lag. */
  private readonly similarity = new Float64Array(MAX_LAG + 2);
  private readonly window = hannWindow(DECIMATED_SAMPLES);
  private readonly windowCorrelation = this.correlateWindow();

  /**
   * @param samples 16 kHz mono; zero beyond its ends
   * @param at index of the first of `PITCH_WINDOW_SAMPLES` samples
   * @returns log2 of the pitch in hertz; null for unvoiced sound
   */
  estimateLog2(samples: Int16Array, at: number): number | null {
    this.load(samples, at);
    this.correlate();
    const energy = this.correlation[0] ?? 0;
    if (energy <= DECIMATED_SAMPLES * FFT_SIZE) return null;
    for (let lag = MIN_LAG - 1; lag < this.similarity.length; lag += 1)
      this.similarity[lag] = this.similarityAt(lag, energy);
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
   * Leaves the autocorrelation of `input`, multiplied by `FFT_SIZE`, at the even indices of `correlation`. The power of a
   * real signal is real and symmetric, so the forward transform equals the inverse one.
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
    const energy = this.correlation[0] ?? 1;
    return Float64Array.from({ length: MAX_LAG + 2 }, (_, lag) => (this.correlation[2 * lag] ?? 0) / energy);
  }

  private bestLag(): number | null {
    let best: number | null = null;
    let bestStrength = -Infinity;
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
      const peak = this.peakAt(lag);
      if (!peak || peak.similarity < MIN_VOICED_SIMILARITY) continue;
      const strength = peak.similarity - OCTAVE_COST * Math.log2(peak.lag);
      if (strength <= bestStrength) continue;
      best = peak.lag;
      bestStrength = strength;
    }
    return best === null ? null : Math.log2(DECIMATED_RATE / best);
  }

  /** Interpolates the peak by a parabola. Otherwise a multiple of the period that falls on a sample could win. */
  private peakAt(lag: number): { lag: number; similarity: number } | null {
    const at = this.similarity[lag] ?? 0;
    const before = this.similarity[lag - 1] ?? 0;
    const after = this.similarity[lag + 1] ?? 0;
    if (at < before || at < after) return null;
    const curvature = before - 2 * at + after;
    if (curvature === 0) return null;
    const offset = (0.5 * (before - after)) / curvature;
    return { lag: lag + offset, similarity: at - 0.25 * (before - after) * offset };
  }

  /** Normalized by the energy and by the autocorrelation of the window. */
  private similarityAt(lag: number, energy: number): number {
    return (this.correlation[2 * lag] ?? 0) / energy / (this.windowCorrelation[lag] ?? 1);
  }
}

function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / length));
}
