import { FRAMES_PER_SECOND, type Frame } from './frame.js';
import type { FrameJudge } from './frame-judge.js';
import { LevelMeter } from './level-meter.js';
import { type LevelOverFloor, NoiseFloor } from './noise-floor.js';
import { SpeechRuns } from './speech-runs.js';

/** How speech is told from the rest. Levels in dB. */
export interface VoiceRules {
  /** Speech is at least this much louder than the noise around it. */
  margin: number;
  /** No noise is taken to be quieter than this, so that the hiss of a silent recorder is not speech. */
  lowestFloor: number;
  /** Seconds before and after a moment in which its noise is looked for. A steady sound that lasts longer is noise. */
  reachSeconds: number;
  onsetSeconds: number;
  hangoverSeconds: number;
}

const VOICE_RULES: VoiceRules = {
  margin: 8,
  lowestFloor: -85,
  reachSeconds: 3,
  onsetSeconds: 0.06,
  hangoverSeconds: 0.16,
};

/** Finds speech by its level over the noise, in a stream of any length, in constant memory. */
export class VoiceActivity implements FrameJudge {
  private readonly meter = new LevelMeter();
  private readonly floor: NoiseFloor;
  private readonly runs: SpeechRuns;

  constructor(private readonly rules: VoiceRules = VOICE_RULES) {
    this.floor = new NoiseFloor(inFrames(rules.reachSeconds));
    this.runs = new SpeechRuns({
      onsetFrames: inFrames(rules.onsetSeconds),
      hangoverFrames: inFrames(rules.hangoverSeconds),
    });
  }

  /** The next frames that are decided, in order, a few seconds behind the samples (16 kHz mono). */
  push(samples: Int16Array): Frame[] {
    return this.decide(this.meter.push(samples).flatMap((level) => this.floor.push(level)));
  }

  /** The remaining frames. The last one stands for less than 20 ms when the samples end within it. */
  flush(): Frame[] {
    const last = this.meter.flush().flatMap((level) => this.floor.push(level));
    return [...this.decide([...last, ...this.floor.flush()]), ...this.runs.flush()];
  }

  private decide(frames: LevelOverFloor[]): Frame[] {
    return frames.flatMap(({ level, floor }) => {
      const loud = level > Math.max(floor, this.rules.lowestFloor) + this.rules.margin;
      return this.runs.push(level, loud);
    });
  }
}

function inFrames(seconds: number): number {
  return Math.round(seconds * FRAMES_PER_SECOND);
}
