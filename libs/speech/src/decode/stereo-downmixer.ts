import { SAMPLE_RATE } from '../wav/pcm.js';

/** Samples per channel between two updates of the correlation. */
const BLOCK_SAMPLES = SAMPLE_RATE / 50;
/** Decay per block: a half-life of about a quarter of a second. */
const DECAY = 0.95;
/** Thresholds of the normalized correlation (-1 to 1), with hysteresis. */
const INVERT_BELOW_CORRELATION = -0.5;
const RESTORE_ABOVE_CORRELATION = 0;

/**
 * Downmixes stereo to mono. Channels of inverted polarity (a balanced line on a stereo input) would cancel out: one is
 * inverted.
 */
export class StereoDownmixer {
  private sign: 1 | -1 = 1;
  private correlation = 0;
  private power = 0;
  private comparedSamples = 0;

  /** @param pairs interleaved: left, right, left, right, … */
  push(pairs: Int16Array): Int16Array {
    const mixed = new Int16Array(pairs.length >> 1);
    for (let index = 0; index < mixed.length; index += 1) {
      const left = pairs[2 * index] ?? 0;
      const right = pairs[2 * index + 1] ?? 0;
      // Half the sum of two samples cannot overflow.
      mixed[index] = (left + this.sign * right) >> 1;
      this.correlation += left * right;
      this.power += (left * left + right * right) / 2;
      this.comparedSamples += 1;
      if (this.comparedSamples === BLOCK_SAMPLES) this.updateSign();
    }
    return mixed;
  }

  private updateSign(): void {
    if (this.correlation < INVERT_BELOW_CORRELATION * this.power) this.sign = -1;
    else if (this.correlation > RESTORE_ABOVE_CORRELATION * this.power) this.sign = 1;
    this.correlation *= DECAY;
    this.power *= DECAY;
    this.comparedSamples = 0;
  }
}
