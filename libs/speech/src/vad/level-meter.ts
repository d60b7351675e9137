import { FRAME_SAMPLES } from './frame.js';

const SILENCE_LEVEL = -120;

/** High-pass filter at about 80 Hz: removes offset and most of mains hum. */
const HIGH_PASS_POLE = 0.97;
const FULL_SCALE = 32_768;

export class LevelMeter {
  private previousIn = 0;
  private previousOut = 0;
  private energy = 0;
  private count = 0;
  private started = false;

  /** Returns the levels (dB of full scale) of completed frames. */
  push(samples: Int16Array): number[] {
    const levels: number[] = [];
    // Avoids a step at the first sample: a constant offset must be silent from the start.
    if (!this.started && samples.length > 0) {
      this.previousIn = samples[0] ?? 0;
      this.started = true;
    }
    for (let at = 0; at < samples.length;) {
      const end = Math.min(samples.length, at + FRAME_SAMPLES - this.count);
      this.accumulate(samples, at, end);
      at = end;
      if (this.count === FRAME_SAMPLES) levels.push(this.finishFrame());
    }
    return levels;
  }

  flush(): number[] {
    return this.count > 0 ? [this.finishFrame()] : [];
  }

  /** The innermost loop: every sample passes it three times. */
  private accumulate(samples: Int16Array, from: number, to: number): void {
    let { previousIn, previousOut, energy } = this;
    for (let at = from; at < to; at += 1) {
      const sample = samples[at] ?? 0;
      previousOut = sample - previousIn + HIGH_PASS_POLE * previousOut;
      previousIn = sample;
      energy += previousOut * previousOut;
    }
    this.previousIn = previousIn;
    this.previousOut = previousOut;
    this.energy = energy;
    this.count += to - from;
  }

  private finishFrame(): number {
    const power = this.energy / this.count / (FULL_SCALE * FULL_SCALE);
    this.energy = 0;
    this.count = 0;
    return Math.max(SILENCE_LEVEL, 10 * Math.log10(power + Number.MIN_VALUE));
  }
}
