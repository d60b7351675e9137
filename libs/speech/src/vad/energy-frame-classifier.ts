import { type Frame, type FrameClassifier, FRAMES_PER_SECOND } from './frame.js';
import { LevelMeter } from './level-meter.js';
import { type LevelWithFloor, NoiseFloorEstimator } from './noise-floor-estimator.js';
import { HangoverSmoother } from './hangover-smoother.js';

/** Levels in dB of full scale. */
export interface EnergyClassifierOptions {
  /** Minimum level of speech above the noise floor. */
  minSnrDb: number;
  /** Lower bound of the noise floor, so that faint hiss does not count as speech. */
  minNoiseFloorDb: number;
  /** The noise floor is estimated this long before and after each frame; a longer steady sound counts as noise. */
  noiseWindowSeconds: number;
  onsetSeconds: number;
  hangoverSeconds: number;
}

const DEFAULT_OPTIONS: EnergyClassifierOptions = {
  minSnrDb: 8,
  minNoiseFloorDb: -85,
  noiseWindowSeconds: 3,
  onsetSeconds: 0.06,
  hangoverSeconds: 0.16,
};

/** Classifies frames by their level above the noise floor; streaming, in constant memory. */
export class EnergyFrameClassifier implements FrameClassifier {
  private readonly meter = new LevelMeter();
  private readonly noiseFloor: NoiseFloorEstimator;
  private readonly smoother: HangoverSmoother;

  constructor(private readonly options: EnergyClassifierOptions = DEFAULT_OPTIONS) {
    this.noiseFloor = new NoiseFloorEstimator(toFrames(options.noiseWindowSeconds));
    this.smoother = new HangoverSmoother({
      onsetFrames: toFrames(options.onsetSeconds),
      hangoverFrames: toFrames(options.hangoverSeconds),
    });
  }

  /** @param samples 16 kHz mono @returns the frames decided so far, a few seconds behind */
  push(samples: Int16Array): Frame[] {
    return this.classify(this.meter.push(samples).flatMap((level) => this.noiseFloor.push(level)));
  }

  /** The remaining frames; the last one may be incomplete. */
  flush(): Frame[] {
    const last = this.meter.flush().flatMap((level) => this.noiseFloor.push(level));
    return [...this.classify([...last, ...this.noiseFloor.flush()]), ...this.smoother.flush()];
  }

  private classify(frames: LevelWithFloor[]): Frame[] {
    return frames.flatMap(({ level, floor }) => {
      const loud = level > Math.max(floor, this.options.minNoiseFloorDb) + this.options.minSnrDb;
      return this.smoother.push(level, loud);
    });
  }
}

function toFrames(seconds: number): number {
  return Math.round(seconds * FRAMES_PER_SECOND);
}
