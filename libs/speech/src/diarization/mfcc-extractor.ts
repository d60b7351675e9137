import { MEL_BAND_COUNT, MelFilterBank, FFT_SAMPLES } from '../spectrum/mel-filter-bank.js';
import { type BackgroundNoise, subtractNoiseFromBandsInPlace } from './background-noise.js';

/** Samples per feature vector: 32 ms. */
export const MFCC_WINDOW_SAMPLES = FFT_SAMPLES;
/** Coefficients per vector, without the zeroth, which is loudness. */
export const MFCC_COEFFICIENT_COUNT = 20;

/** Mel-frequency cepstral coefficients: the spectral envelope, independent of loudness. */
export class MfccExtractor {
  private readonly bands = new MelFilterBank();
  private readonly cosines = buildCosineTable();

  /**
   * @param samples 16 kHz mono; zero beyond its ends
   * @param at index of the first of `MFCC_WINDOW_SAMPLES` samples
   * @param background noise to subtract
   * @returns `MFCC_COEFFICIENT_COUNT` values
   */
  extract(samples: Int16Array, at: number, background: BackgroundNoise | null = null): Float64Array {
    const bands = this.bands.logPowers(samples, at);
    if (background) subtractNoiseFromBandsInPlace(background, bands);
    return this.transform(bands);
  }

  private transform(bands: Float64Array): Float64Array {
    const coefficients = new Float64Array(MFCC_COEFFICIENT_COUNT);
    for (const [index, row] of this.cosines.entries()) {
      let sum = 0;
      for (let band = 0; band < MEL_BAND_COUNT; band += 1) sum += (row[band] ?? 0) * (bands[band] ?? 0);
      coefficients[index] = sum;
    }
    return coefficients;
  }
}

/** Orthonormal DCT without its first row. */
function buildCosineTable(): Float64Array[] {
  return Array.from({ length: MFCC_COEFFICIENT_COUNT }, (_, index) =>
    Float64Array.from(
      { length: MEL_BAND_COUNT },
      (_unused, band) =>
        Math.sqrt(2 / MEL_BAND_COUNT) * Math.cos((Math.PI * (index + 1) * (band + 0.5)) / MEL_BAND_COUNT),
    ),
  );
}
