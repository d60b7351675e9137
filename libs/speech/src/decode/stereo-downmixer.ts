import { SAMPLE_RATE } from '../wav/pcm.js';

/** Both channels are compared this often, in samples of each. */
const BLOCK_SAMPLES = SAMPLE_RATE / 50;
/** What is left of an earlier comparison after another block: half of it after a quarter of a second. */
const DECAY = 0.95;
/** Likeness of the channels, -1 to 1, at which they are taken for opposite, and at which no longer. */
const INVERT_BELOW_CORRELATION = -0.5;
const RESTORE_ABOVE_CORRELATION = 0;

/**
 * Makes one channel of two, in a stream. Channels of which one is the other upside down (a balanced line plugged
 * into a stereo input) would cancel out: there the one is turned over before they are added.
 */
export class StereoDownmixer {
  private sign: 1 | -1 = 1;
  private correlation = 0;
  private power = 0;
  private comparedSamples = 0;

  /** @param pairs left, right, left, right, … */
  push(pairs: Int16Array): Int16Array {
    const mixed = new Int16Array(pairs.length >> 1);
    for (let index = 0; index < mixed.length; index += 1) {
      const left = pairs[2 * index] ?? 0;
      const right = pairs[2 * index + 1] ?? 0;
      // Half of a sum of two samples always fits.
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
