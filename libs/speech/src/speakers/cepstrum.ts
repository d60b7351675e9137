import { BANDS, MelBands, SPECTRUM_SAMPLES } from '../spectrum/mel-bands.js';
import { type Background, takeOff } from './background.js';

/** Samples that one cepstrum is made of: 32 ms. */
export const CEPSTRUM_SAMPLES = SPECTRUM_SAMPLES;
/** Coefficients of a cepstrum. The first one of the transform, which is loudness, is not among them. */
export const COEFFICIENTS = 20;

/** Mel-frequency cepstra: the shape of the vocal tract and of the room, whatever the loudness. */
export class Cepstrum {
  private readonly bands = new MelBands();
  private readonly cosines = cosineTable();

  /**
   * @param samples 16 kHz mono; beyond its ends there is silence
   * @param at index of the first of `CEPSTRUM_SAMPLES` samples
   * @param background is taken out; null for the sound as it is
   * @returns `COEFFICIENTS` values
   */
  of(samples: Int16Array, at: number, background: Background | null = null): Float64Array {
    const bands = this.bands.of(samples, at);
    if (background) takeOff(background, bands);
    return this.transform(bands);
  }

  private transform(bands: Float64Array): Float64Array {
    const coefficients = new Float64Array(COEFFICIENTS);
    for (const [index, row] of this.cosines.entries()) {
      let sum = 0;
      for (let band = 0; band < BANDS; band += 1) sum += (row[band] ?? 0) * (bands[band] ?? 0);
      coefficients[index] = sum;
    }
    return coefficients;
  }
}

/** Orthonormal cosine transform without its first row. */
function cosineTable(): Float64Array[] {
  return Array.from({ length: COEFFICIENTS }, (_, index) =>
    Float64Array.from(
      { length: BANDS },
      (_unused, band) => Math.sqrt(2 / BANDS) * Math.cos((Math.PI * (index + 1) * (band + 0.5)) / BANDS),
    ),
  );
}
