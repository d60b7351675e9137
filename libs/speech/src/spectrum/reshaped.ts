import FFT from 'fft.js';

/** Samples that are changed together: 32 ms at 16 kHz. */
const WINDOW = 512;
/** Windows begin so many samples after each other: 8 ms. Each sample is in four of them. */
export const HOP = 128;
/** Frequencies of a window. */
export const BINS = WINDOW / 2 + 1;
/** Where windows overlap, their squares add up to this. */
const OVERLAP = WINDOW / HOP / 2;

const LOUDEST = 32_767;
const SHAPE = Float64Array.from({ length: WINDOW }, (_, at) => Math.sin((Math.PI * at) / WINDOW));

/** Sets `gains`, a factor for each frequency of a window, by its `powers`; windows come in the order of time. */
export type Weigh = (powers: Float64Array, gains: Float64Array) => void;

/** The samples (16 kHz mono) with every frequency of every moment made louder or fainter; in the same place. */
export function reshaped(samples: Int16Array, weigh: Weigh): Int16Array {
  const windows = new Windows(weigh);
  const sum = new Float64Array(samples.length);
  for (let at = HOP - WINDOW; at < samples.length; at += HOP) windows.add(samples, at, sum);
  return Int16Array.from(sum, (value) => {
    return Math.max(-LOUDEST - 1, Math.min(LOUDEST, Math.round(value / OVERLAP)));
  });
}

class Windows {
  private readonly fft = new FFT(WINDOW);
  private readonly input = new Float64Array(WINDOW);
  private readonly spectrum = this.fft.createComplexArray();
  private readonly output = this.fft.createComplexArray();
  private readonly powers = new Float64Array(BINS);
  private readonly gains = new Float64Array(BINS);

  constructor(private readonly weigh: Weigh) {}

  /** Adds the changed window that begins at `at` (which may be before the sound) to `sum`. */
  add(samples: Int16Array, at: number, sum: Float64Array): void {
    for (let i = 0; i < WINDOW; i += 1) this.input[i] = (samples[at + i] ?? 0) * (SHAPE[i] ?? 0);
    this.fft.realTransform(this.spectrum, this.input);
    this.change();
    this.fft.inverseTransform(this.output, this.spectrum);
    const end = Math.min(WINDOW, sum.length - at);
    for (let i = Math.max(0, -at); i < end; i += 1) {
      sum[at + i] = (sum[at + i] ?? 0) + (this.output[2 * i] ?? 0) * (SHAPE[i] ?? 0);
    }
  }

  private change(): void {
    const { spectrum, powers, gains } = this;
    for (let bin = 0; bin < BINS; bin += 1) {
      powers[bin] = (spectrum[2 * bin] ?? 0) ** 2 + (spectrum[2 * bin + 1] ?? 0) ** 2;
    }
    this.weigh(powers, gains);
    for (let bin = 0; bin < BINS; bin += 1) {
      const gain = gains[bin] ?? 0;
      spectrum[2 * bin] = (spectrum[2 * bin] ?? 0) * gain;
      spectrum[2 * bin + 1] = (spectrum[2 * bin + 1] ?? 0) * gain;
    }
    this.fft.completeSpectrum(spectrum);
  }
}
