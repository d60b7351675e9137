import { FRAMES_PER_SECOND } from '../vad/frame.js';
import { LevelMeter } from '../vad/level-meter.js';
import type { ChannelSamplesPair } from './deinterleave-stereo.js';

/** A channel this much below the other one carries at most that one's crosstalk. */
const CROSSTALK_DB = 20;
/** Crosstalk is delayed and reverberates: the other channel counts by its loudest frame of this time. */
const OTHER_HOLD_FRAMES = 0.3 * FRAMES_PER_SECOND;
/** Pauses within words are no crosstalk. */
const OWN_HOLD_FRAMES = 0.2 * FRAMES_PER_SECOND;

/** For each frame of each channel: true if it can only be crosstalk. */
export type CrosstalkFlags = readonly [left: boolean[], right: boolean[]];

/** Finds where one channel carries only what leaks from the other one. Its memory does not grow with the length of the audio. */
export class CrosstalkDetector {
  private readonly meters = [new LevelMeter(), new LevelMeter()] as const;
  private readonly held = [new HeldLevel(), new HeldLevel()] as const;

  /** @param rightGainDb dB to add to the right channel, so that both speakers are equally loud */
  constructor(private readonly rightGainDb: number) {}

  /** Returns the flags of the completed frames. */
  push([left, right]: ChannelSamplesPair): CrosstalkFlags {
    return this.compare(this.meters[0].push(left), this.meters[1].push(right));
  }

  flush(): CrosstalkFlags {
    return this.compare(this.meters[0].flush(), this.meters[1].flush());
  }

  private compare(leftLevels: readonly number[], rightLevels: readonly number[]): CrosstalkFlags {
    const flags: [boolean[], boolean[]] = [[], []];
    const [left, right] = this.held;
    for (const [index, level] of leftLevels.entries()) {
      left.push(level);
      right.push((rightLevels[index] ?? level) + this.rightGainDb);
      flags[0].push(right.loudest(OTHER_HOLD_FRAMES) - left.loudest(OWN_HOLD_FRAMES) >= CROSSTALK_DB);
      flags[1].push(left.loudest(OTHER_HOLD_FRAMES) - right.loudest(OWN_HOLD_FRAMES) >= CROSSTALK_DB);
    }
    return flags;
  }
}

/** The levels of the last frames. */
class HeldLevel {
  private levels: number[] = [];

  push(level: number): void {
    this.levels.push(level);
    if (this.levels.length > OTHER_HOLD_FRAMES) this.levels.shift();
  }

  loudest(frames: number): number {
    return Math.max(...this.levels.slice(-frames));
  }
}
