import { type ClassifiedFrame, type FrameClassifier, FRAMES_PER_SECOND } from './frame.js';
import { LevelMeter } from './level-meter.js';
import { type LevelWithNoiseFloor, NoiseFloorEstimator } from './noise-floor-estimator.js';

/** Minimum level of speech above the noise floor. */
const MIN_SNR_DB = 8;
/** Lower bound of the noise floor in dB of full scale, so that faint hiss does not count as speech. */
const MIN_NOISE_FLOOR_DB = -85;
/** The noise floor is estimated this long before and after each frame; a longer steady sound counts as noise. */
const NOISE_WINDOW_FRAMES = 3 * FRAMES_PER_SECOND;
/** Minimum number of loud frames for speech; fewer are a click. */
const ONSET_FRAMES = 3;
/** Quiet frames that speech bridges: plosives, fading word ends. */
const HANGOVER_FRAMES = 8;

/** Streaming, in constant memory. */
export class EnergyFrameClassifier implements FrameClassifier {
  private readonly meter = new LevelMeter();
  private readonly noiseFloor = new NoiseFloorEstimator(NOISE_WINDOW_FRAMES);
  private readonly smoother = new HangoverSmoother();

  /** @param samples 16 kHz mono @returns the frames decided so far, a few seconds behind */
  push(samples: Int16Array): ClassifiedFrame[] {
    return this.classify(this.meter.push(samples).flatMap((level) => this.noiseFloor.push(level)));
  }

  /** The remaining frames; the last one may be incomplete. */
  flush(): ClassifiedFrame[] {
    const last = this.meter.flush().flatMap((level) => this.noiseFloor.push(level));
    return [...this.classify([...last, ...this.noiseFloor.flush()]), ...this.smoother.flush()];
  }

  private classify(frames: LevelWithNoiseFloor[]): ClassifiedFrame[] {
    return frames.flatMap(({ level, floor }) => {
      const loud = level > Math.max(floor, MIN_NOISE_FLOOR_DB) + MIN_SNR_DB;
      return this.smoother.push(level, loud);
    });
  }
}

class HangoverSmoother {
  /** Undecided frames, oldest first; empty, or beginning with the first loud frame or gap. */
  private pending: { level: number }[] = [];
  private loudPending = 0;
  private quietRun = 0;
  private speaking = false;

  /** Returns the frames that this one decides, oldest first. */
  push(level: number, loud: boolean): ClassifiedFrame[] {
    this.quietRun = loud ? 0 : this.quietRun + 1;
    this.pending.push({ level });
    if (loud) this.loudPending += 1;
    if (this.speaking) return this.pushWhileSpeaking(loud);
    return this.pushWhileSilent(loud);
  }

  flush(): ClassifiedFrame[] {
    return this.emitPending(false);
  }

  private pushWhileSpeaking(loud: boolean): ClassifiedFrame[] {
    if (loud) return this.emitPending(true);
    if (this.quietRun <= HANGOVER_FRAMES) return [];
    this.speaking = false;
    return this.emitPending(false);
  }

  private pushWhileSilent(loud: boolean): ClassifiedFrame[] {
    if (loud && this.loudPending >= ONSET_FRAMES) {
      this.speaking = true;
      return this.emitPending(true);
    }
    const clickOver = this.quietRun > HANGOVER_FRAMES;
    return this.loudPending === 0 || clickOver ? this.emitPending(false) : [];
  }

  private emitPending(speech: boolean): ClassifiedFrame[] {
    const decided = this.pending.map(({ level }) => ({ levelDb: level, isSpeech: speech }));
    this.pending = [];
    this.loudPending = 0;
    return decided;
  }
}
