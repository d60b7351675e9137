import { SAMPLE_RATE } from '../wav/pcm.js';
import type { ChannelSamplesPair } from './deinterleave-stereo.js';
import { JointLevelHistogram } from './joint-level-histogram.js';

/** Levels and correlation are measured in windows of a tenth of a second, about a syllable. */
const WINDOW_SAMPLES = SAMPLE_RATE / 10;
const WINDOWS_PER_SECOND = SAMPLE_RATE / WINDOW_SAMPLES;

/** Shares of the windows whose levels stand for speech and for pauses. */
const LOUD_SHARE = 0.99;
const QUIET_SHARE = 0.1;
/** A channel that never exceeds this level has no speech. */
const MIN_LOUD_DB = -60;
/** Speech has pauses; steady noise has none. */
const MIN_RANGE_DB = 15;

/** A window counts if a channel is at most this far below its loud windows. */
const ACTIVE_BELOW_LOUD_DB = 25;
/** A channel is alone if the other one is this much lower: more than between the channels of a stereo room. */
const ALONE_DB = 15;
/** Largest difference between the levels of two speakers that is levelled out; the rest may be crosstalk. */
const MAX_GAIN_DB = 15;

/** Each channel must be alone for this long, and for this share of the active time. */
const MIN_ALONE_SECONDS = 1;
const MIN_ALONE_SHARE = 0.03;
/** People who take turns rarely talk at once; the channels of music sound together. */
const MAX_TOGETHER_SHARE = 0.35;
/** Where both channels sound, the same source on both correlates. If they sound together less than the share, this does not count. */
const MAX_CORRELATION = 0.5;
const IGNORED_TOGETHER_SHARE = 0.1;

/** After this much activity, channels that nearly always sound together need not be compared any further. */
const DECIDED_ACTIVE_SECONDS = 120;
const DECIDED_TOGETHER_SHARE = 0.8;

export interface StereoActivitySummary {
  activeSeconds: number;
  /** Shares of the active time, 0 to 1. */
  leftAlone: number;
  rightAlone: number;
  together: number;
  /** Mean correlation of the waveforms where both sound, 0 to 1; 0 if they never do. */
  correlation: number;
}

/** Tells two recorded speakers from stereo sound, in constant memory. */
export class SeparateSpeakerChannelDetector {
  private readonly histogram = new JointLevelHistogram();
  private readonly window = new WindowSums();

  push([left, right]: ChannelSamplesPair): void {
    for (const [index, sample] of left.entries()) {
      this.window.add(sample, right[index] ?? 0);
      if (this.window.count === WINDOW_SAMPLES) this.finishWindow();
    }
  }

  /** dB to add to the right channel, so that its speaker is as loud as that of the left one; limited. */
  get rightGainDb(): number {
    const difference = this.loud('left') - this.loud('right');
    return Math.min(MAX_GAIN_DB, Math.max(-MAX_GAIN_DB, difference));
  }

  get activity(): StereoActivitySummary {
    const gain = this.rightGainDb;
    const active = { left: this.loud('left'), right: this.loud('right') };
    let [leftAlone, rightAlone, together, correlation] = [0, 0, 0, 0];
    for (const cell of this.histogram.cells()) {
      const isActive =
        cell.left >= active.left - ACTIVE_BELOW_LOUD_DB || cell.right >= active.right - ACTIVE_BELOW_LOUD_DB;
      if (!isActive) continue;
      const difference = cell.left - (cell.right + gain);
      if (difference >= ALONE_DB) leftAlone += cell.windows;
      else if (difference <= -ALONE_DB) rightAlone += cell.windows;
      else {
        together += cell.windows;
        correlation += cell.correlation;
      }
    }
    const total = Math.max(1, leftAlone + rightAlone + together);
    return {
      activeSeconds: (leftAlone + rightAlone + together) / WINDOWS_PER_SECOND,
      leftAlone: leftAlone / total,
      rightAlone: rightAlone / total,
      together: together / total,
      correlation: together === 0 ? 0 : correlation / together,
    };
  }

  /** True if each channel has a speaker of its own, and they take turns. */
  get areSeparateSpeakers(): boolean {
    if (this.histogram.windows === 0 || !this.hasSpeechLevels('left') || !this.hasSpeechLevels('right'))
      return false;
    const { activeSeconds, leftAlone, rightAlone, together, correlation } = this.activity;
    const aloneShare = Math.min(leftAlone, rightAlone);
    return (
      aloneShare >= MIN_ALONE_SHARE &&
      aloneShare * activeSeconds >= MIN_ALONE_SECONDS &&
      together <= MAX_TOGETHER_SHARE &&
      (together <= IGNORED_TOGETHER_SHARE || correlation <= MAX_CORRELATION)
    );
  }

  /** True once further audio could hardly show speakers on channels of their own. */
  get areClearlyMixed(): boolean {
    const { activeSeconds, together } = this.activity;
    return activeSeconds >= DECIDED_ACTIVE_SECONDS && together >= DECIDED_TOGETHER_SHARE;
  }

  private hasSpeechLevels(channel: 'left' | 'right'): boolean {
    const loud = this.loud(channel);
    return loud >= MIN_LOUD_DB && loud - this.histogram.percentile(channel, QUIET_SHARE) >= MIN_RANGE_DB;
  }

  private loud(channel: 'left' | 'right'): number {
    return this.histogram.percentile(channel, LOUD_SHARE);
  }

  private finishWindow(): void {
    const { left, right, correlation } = this.window.finish();
    this.histogram.add(left, right, correlation);
  }
}

const FULL_SCALE = 32_768;

/** Sums for the levels and the correlation of a window. A constant offset of a channel does not count. */
class WindowSums {
  count = 0;
  private left = 0;
  private right = 0;
  private leftSquares = 0;
  private rightSquares = 0;
  private products = 0;

  add(left: number, right: number): void {
    this.count += 1;
    this.left += left;
    this.right += right;
    this.leftSquares += left * left;
    this.rightSquares += right * right;
    this.products += left * right;
  }

  finish(): { left: number; right: number; correlation: number } {
    const { count } = this;
    const leftPower = this.leftSquares / count - (this.left / count) ** 2;
    const rightPower = this.rightSquares / count - (this.right / count) ** 2;
    const covariance = this.products / count - (this.left * this.right) / count ** 2;
    const scale = Math.sqrt(leftPower * rightPower);
    this.count = this.left = this.right = this.leftSquares = this.rightSquares = this.products = 0;
    const correlation = scale > 0 ? Math.min(1, Math.abs(covariance) / scale) : 0;
    return { left: toDecibel(leftPower), right: toDecibel(rightPower), correlation };
  }
}

function toDecibel(power: number): number {
  return 10 * Math.log10(Math.max(power, Number.MIN_VALUE) / FULL_SCALE ** 2);
}
