import { MEL_BANDS, MelFilterBank, FFT_SAMPLES } from '../spectrum/mel-filter-bank.js';
import { type BackgroundNoise, subtractBackgroundNoise } from './background-noise.js';

/** Samples that one cepstrum is made of: 32 ms. */
export const MFCC_WINDOW_SAMPLES = FFT_SAMPLES;
/** Coefficients of a cepstrum. The first one of the transform, which is loudness, is not among them. */
export const MFCC_COEFFICIENTS = 20;

/** Mel-frequency cepstra: the shape of the vocal tract and of the room, whatever the loudness. */
export class MfccExtractor {
  private readonly bands = new MelFilterBank();
  private readonly cosines = buildCosineTable();

  /**
   * @param samples 16 kHz mono; beyond its ends there is silence
   * @param at index of the first of `MFCC_WINDOW_SAMPLES` samples
   * @param background is taken out; null for the sound as it is
   * @returns `COEFFICIENTS` values
   */
  extract(samples: Int16Array, at: number, background: BackgroundNoise | null = null): Float64Array {
    const bands = this.bands.logPowers(samples, at);
    if (background) subtractBackgroundNoise(background, bands);
    return this.transform(bands);
  }

  private transform(bands: Float64Array): Float64Array {
    const coefficients = new Float64Array(MFCC_COEFFICIENTS);
    for (const [index, row] of this.cosines.entries()) {
      let sum = 0;
      for (let band = 0; band < MEL_BANDS; band += 1) sum += (row[band] ?? 0) * (bands[band] ?? 0);
      coefficients[index] = sum;
    }
    return coefficients;
  }
}

/** Orthonormal cosine transform without its first row. */
function buildCosineTable(): Float64Array[] {
  return Array.from({ length: MFCC_COEFFICIENTS }, (_, index) =>
    Float64Array.from(
      { length: MEL_BANDS },
      (_unused, band) =>
        Math.sqrt(2 / MEL_BANDS) * Math.cos((Math.PI * (index + 1) * (band + 0.5)) / MEL_BANDS),
    ),
  );
}
