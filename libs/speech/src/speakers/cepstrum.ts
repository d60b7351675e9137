import FFT from 'fft.js';
import { SAMPLE_RATE } from '../wav/sample-rate.js';

/** Samples that one cepstrum is made of: 32 ms. */
export const CEPSTRUM_SAMPLES = 512;
/** Coefficients of a cepstrum. The first one of the transform, which is loudness, is not among them. */
export const COEFFICIENTS = 20;

const FILTERS = 26;
const LOWEST_HERTZ = 80;
const HIGHEST_HERTZ = 7600;
const PRE_EMPHASIS = 0.97;
/** Power below which a band counts as empty: the rounding of 16-bit samples, over a window. */
const POWER_FLOOR = CEPSTRUM_SAMPLES;

/** Mel-frequency cepstra: the shape of the vocal tract and of the room, whatever the loudness. */
export class Cepstrum {
  private readonly fft = new FFT(CEPSTRUM_SAMPLES);
  private readonly spectrum = this.fft.createComplexArray();
  private readonly input = new Float64Array(CEPSTRUM_SAMPLES);
  private readonly window = hamming(CEPSTRUM_SAMPLES);
  private readonly filters = melFilters();
  private readonly cosines = cosineTable();
  private readonly bands = new Float64Array(FILTERS);

  /**
   * @param samples 16 kHz mono; beyond its ends there is silence
   * @param at index of the first of `CEPSTRUM_SAMPLES` samples
   * @returns `COEFFICIENTS` values
   */
  of(samples: Int16Array, at: number): Float64Array {
    let previous = samples[at - 1] ?? samples[at] ?? 0;
    for (let i = 0; i < CEPSTRUM_SAMPLES; i += 1) {
      const sample = samples[at + i] ?? 0;
      this.input[i] = (sample - PRE_EMPHASIS * previous) * (this.window[i] ?? 0);
      previous = sample;
    }
    this.fft.realTransform(this.spectrum, this.input);
    this.measureBands();
    return this.transformBands();
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

  private transformBands(): Float64Array {
    const coefficients = new Float64Array(COEFFICIENTS);
    for (const [index, row] of this.cosines.entries()) {
      let sum = 0;
      for (let band = 0; band < FILTERS; band += 1) sum += (row[band] ?? 0) * (this.bands[band] ?? 0);
      coefficients[index] = sum;
    }
    return coefficients;
  }
}

interface Filter {
  /** Bin of the first weight. */
  first: number;
  weights: Float64Array;
}

/** Triangles of equal width on the mel scale, each reaching to the peaks of its neighbours. */
function melFilters(): Filter[] {
  const low = toMel(LOWEST_HERTZ);
  const step = (toMel(HIGHEST_HERTZ) - low) / (FILTERS + 1);
  return Array.from({ length: FILTERS }, (_, index) => {
    const [from, peak, to] = [index, index + 1, index + 2].map((corner) => toBin(low + corner * step));
    return triangle(from ?? 0, peak ?? 0, to ?? 0);
  });
}

function triangle(from: number, peak: number, to: number): Filter {
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
  return (700 * Math.expm1(mel / 1127) * CEPSTRUM_SAMPLES) / SAMPLE_RATE;
}

/** Orthonormal cosine transform without its first row. */
function cosineTable(): Float64Array[] {
  return Array.from({ length: COEFFICIENTS }, (_, index) =>
    Float64Array.from(
      { length: FILTERS },
      (_unused, band) => Math.sqrt(2 / FILTERS) * Math.cos((Math.PI * (index + 1) * (band + 0.5)) / FILTERS),
    ),
  );
}

function hamming(length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (length - 1)));
}
