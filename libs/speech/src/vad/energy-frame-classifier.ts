import { type Frame, type FrameClassifier, FRAMES_PER_SECOND } from './frame.js';
import { LevelMeter } from './level-meter.js';
import { type LevelWithFloor, NoiseFloorEstimator } from './noise-floor-estimator.js';
import { HangoverSmoother } from './hangover-smoother.js';

/** How speech is told from the rest. Levels in dB. */
export interface EnergyClassifierOptions {
  /** Speech is at least this much louder than the noise around it. */
  minSnrDb: number;
  /** No noise is taken to be quieter than this, so that the hiss of a silent recorder is not speech. */
  minNoiseFloorDb: number;
  /** Seconds before and after a moment in which its noise is looked for. A steady sound that lasts longer is noise. */
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

/** Finds speech by its level over the noise, in a stream of any length, in constant memory. */
export class EnergyFrameClassifier implements FrameClassifier {
  private readonly meter = new LevelMeter();
  private readonly noiseFloor: NoiseFloorEstimator;
  private readonly smoother: HangoverSmoother;

  constructor(private readonly rules: EnergyClassifierOptions = DEFAULT_OPTIONS) {
    this.noiseFloor = new NoiseFloorEstimator(toFrames(rules.noiseWindowSeconds));
    this.smoother = new HangoverSmoother({
      onsetFrames: toFrames(rules.onsetSeconds),
      hangoverFrames: toFrames(rules.hangoverSeconds),
    });
  }

  /** The next frames that are decided, in order, a few seconds behind the samples (16 kHz mono). */
  push(samples: Int16Array): Frame[] {
    return this.classify(this.meter.push(samples).flatMap((level) => this.noiseFloor.push(level)));
  }

  /** The remaining frames. The last one stands for less than 20 ms when the samples end within it. */
  flush(): Frame[] {
    const last = this.meter.flush().flatMap((level) => this.noiseFloor.push(level));
    return [...this.classify([...last, ...this.noiseFloor.flush()]), ...this.smoother.flush()];
  }

  private classify(frames: LevelWithFloor[]): Frame[] {
    return frames.flatMap(({ level, floor }) => {
      const loud = level > Math.max(floor, this.rules.minNoiseFloorDb) + this.rules.minSnrDb;
      return this.smoother.push(level, loud);
    });
  }
}

function toFrames(seconds: number): number {
  return Math.round(seconds * FRAMES_PER_SECOND);
}
