import FFT from 'fft.js';
import { SAMPLE_RATE } from '../wav/pcm.js';

/** 32 ms. */
export const FFT_SAMPLES = 512;
export const MEL_BAND_COUNT = 26;

const LOWEST_HERTZ = 80;
const HIGHEST_HERTZ = 7600;
const PRE_EMPHASIS = 0.97;
/** Floor for empty bands: quantization noise of 16-bit samples over a window. */
const POWER_FLOOR = FFT_SAMPLES;

/** Bands have equal perceived width. */
export class MelFilterBank {
  private readonly fft = new FFT(FFT_SAMPLES);
  private readonly spectrum = this.fft.createComplexArray();
  private readonly input = new Float64Array(FFT_SAMPLES);
  private readonly window = hammingWindow(FFT_SAMPLES);
  private readonly filters = buildMelFilters();
  private readonly bands = new Float64Array(MEL_BAND_COUNT);

  /**
   * @param samples 16 kHz mono; zero beyond its ends
   * @param at index of the first of `FFT_SAMPLES` samples
   * @returns natural logarithms of `MEL_BAND_COUNT` powers, lowest band first; overwritten by the next call
   */
  logPowers(samples: Int16Array, at: number): Float64Array {
    let previous = samples[at - 1] ?? samples[at] ?? 0;
    for (let i = 0; i < FFT_SAMPLES; i += 1) {
      const sample = samples[at + i] ?? 0;
      this.input[i] = (sample - PRE_EMPHASIS * previous) * (this.window[i] ?? 0);
      previous = sample;
    }
    this.fft.realTransform(this.spectrum, this.input);
    this.measureBands();
    return this.bands;
  }

  private measureBands(): void {
    for (const [band, { first, weights }] of this.filters.entries()) {
      let power = 0;
      for (let i = 0; i < weights.length; i += 1) {
        const bin = 2 * (first + i);
        const real = this.spectrum[bin] ?? 0;
        const imaginary = this.spectrum[bin + 1] ?? 0;
        power += (weights[i] ?? 0) * (real * real + imaginary * imaginary);
      }
      this.bands[band] = Math.log(power + POWER_FLOOR);
    }
  }
}

interface Filter {
  /** FFT bin of the first weight. */
  first: number;
  weights: Float64Array;
}

/** Triangles of equal width on the mel scale, each extending to the peaks of its neighbours. */
function buildMelFilters(): Filter[] {
  const low = toMel(LOWEST_HERTZ);
  const step = (toMel(HIGHEST_HERTZ) - low) / (MEL_BAND_COUNT + 1);
  return Array.from({ length: MEL_BAND_COUNT }, (_, index) => {
    const [from, peak, to] = [index, index + 1, index + 2].map((corner) => toBin(low + corner * step));
    return buildTriangle(from ?? 0, peak ?? 0, to ?? 0);
  });
}

function buildTriangle(from: number, peak: number, to: number): Filter {
  const first = Math.ceil(from);
  const weights = Float64Array.from({ length: Math.max(1, Math.ceil(to) - first) }, (_, index) => {
    const bin = first + index;
    return Math.max(0, bin < peak ? (bin - from) / (peak - from) : (to - bin) / (to - peak));
  });
  return { first, weights };
}

function toMel(hertz: number): number {
  return 1127 * Math.log1p(hertz / 700);
}

function toBin(mel: number): number {
  return (700 * Math.expm1(mel / 1127) * FFT_SAMPLES) / SAMPLE_RATE;
}

function hammingWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (length - 1)));
}
