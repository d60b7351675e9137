import FFT from 'fft.js';

/** 32 ms at 16 kHz. */
const WINDOW_SAMPLES = 512;
/** 8 ms; each sample is in four windows. */
export const HOP_SAMPLES = 128;
export const SPECTRUM_BIN_COUNT = WINDOW_SAMPLES / 2 + 1;
/** Sum of the squared windows at any sample. */
const OVERLAP_GAIN = WINDOW_SAMPLES / HOP_SAMPLES / 2;

const MAX_SAMPLE = 32_767;
const WINDOW_SHAPE = Float64Array.from({ length: WINDOW_SAMPLES }, (_, at) =>
  Math.sin((Math.PI * at) / WINDOW_SAMPLES),
);

/** Computes `gains` from `powers`, both per frequency bin; called for consecutive windows. */
export type GainFunction = (powers: Float64Array, gains: Float64Array) => void;

/** Short-time Fourier transform of 16 kHz mono samples, without latency. */
export function applySpectralGain(samples: Int16Array, computeGains: GainFunction): Int16Array {
  const windows = new OverlapAdder(computeGains);
  const sum = new Float64Array(samples.length);
  for (let at = HOP_SAMPLES - WINDOW_SAMPLES; at < samples.length; at += HOP_SAMPLES)
    windows.add(samples, at, sum);
  return Int16Array.from(sum, (value) => {
    return Math.max(-MAX_SAMPLE - 1, Math.min(MAX_SAMPLE, Math.round(value / OVERLAP_GAIN)));
  });
}

class OverlapAdder {
  private readonly fft = new FFT(WINDOW_SAMPLES);
  private readonly input = new Float64Array(WINDOW_SAMPLES);
  private readonly spectrum = this.fft.createComplexArray();
  private readonly output = this.fft.createComplexArray();
  private readonly powers = new Float64Array(SPECTRUM_BIN_COUNT);
  private readonly gains = new Float64Array(SPECTRUM_BIN_COUNT);

  constructor(private readonly computeGains: GainFunction) {}

  /** @param at may be negative */
  add(samples: Int16Array, at: number, sum: Float64Array): void {
    for (let i = 0; i < WINDOW_SAMPLES; i += 1)
      this.input[i] = (samples[at + i] ?? 0) * (WINDOW_SHAPE[i] ?? 0);
    this.fft.realTransform(this.spectrum, this.input);
    this.applyGains();
    this.fft.inverseTransform(this.output, this.spectrum);
    const end = Math.min(WINDOW_SAMPLES, sum.length - at);
    for (let i = Math.max(0, -at); i < end; i += 1) {
      sum[at + i] = (sum[at + i] ?? 0) + (this.output[2 * i] ?? 0) * (WINDOW_SHAPE[i] ?? 0);
    }
  }

  private applyGains(): void {
    const { spectrum, powers, gains } = this;
    for (let bin = 0; bin < SPECTRUM_BIN_COUNT; bin += 1) {
      powers[bin] = (spectrum[2 * bin] ?? 0) ** 2 + (spectrum[2 * bin + 1] ?? 0) ** 2;
    }
    this.computeGains(powers, gains);
    for (let bin = 0; bin < SPECTRUM_BIN_COUNT; bin += 1) {
      const gain = gains[bin] ?? 0;
      spectrum[2 * bin] = (spectrum[2 * bin] ?? 0) * gain;
      spectrum[2 * bin + 1] = (spectrum[2 * bin + 1] ?? 0) * gain;
    }
    this.fft.completeSpectrum(spectrum);
  }
}
