import type { ClassifiedFrame } from '../vad/frame.js';

/** `end` is exclusive. */
export interface FramePause {
  start: number;
  end: number;
  meanLevelDb: number;
}

/** In frames of the file. */
export interface CutFramePreference {
  target: number;
  /** Distance from the target at which the score of a pause is halved. */
  spread: number;
}

/** Prefers long pauses near the target; of equal ones the quieter. Undefined if there are none. */
export function choosePause(
  pauses: readonly FramePause[],
  preference: CutFramePreference,
): FramePause | undefined {
  const ranked = pauses.map((pause) => ({ pause, score: scorePause(pause, preference) }));
  ranked.sort((a, b) => b.score - a.score || a.pause.meanLevelDb - b.pause.meanLevelDb);
  return ranked[0]?.pause;
}

export function findPauseMidpoint(pause: FramePause): number {
  return Math.floor((pause.start + pause.end) / 2);
}

function scorePause(pause: FramePause, { target, spread }: CutFramePreference): number {
  const distance = Math.min(1, Math.abs(findPauseMidpoint(pause) - target) / spread);
  return (pause.end - pause.start) * (1 - distance / 2);
}

/** All frame numbers are those of the file. */
export class OpenChunk {
  private readonly pauses: FramePause[] = [];
  private pauseStart: number | null = null;
  private pauseLevels = 0;

  /** @param start of the chunk, silence included @param first frame number of `frames[0]` */
  constructor(
    readonly start: number,
    private readonly first: number,
    private readonly frames: ClassifiedFrame[] = [],
  ) {
    frames.forEach((frame, index) => this.trackPause(frame, first + index));
  }

  push(frame: ClassifiedFrame): void {
    this.frames.push(frame);
    this.trackPause(frame, this.end - 1);
  }

  get end(): number {
    return this.first + this.frames.length;
  }

  get length(): number {
    return this.end - this.start;
  }

  get completedPauses(): readonly FramePause[] {
    return this.pauses;
  }

  get trailingPause(): FramePause | null {
    if (this.pauseStart === null) return null;
    return {
      start: this.pauseStart,
      end: this.end,
      meanLevelDb: this.pauseLevels / (this.end - this.pauseStart),
    };
  }

  quietestFrameFrom(from: number): number {
    let best = Math.max(from, this.first);
    for (let frame = best; frame < this.end; frame += 1) {
      if (this.levelAt(frame) < this.levelAt(best)) best = frame;
    }
    return best;
  }

  /** The rest of a split chunk: starts at `start`, with the frames from `first` on. */
  remainderFrom(start: number, first: number): OpenChunk {
    return new OpenChunk(start, first, this.frames.slice(first - this.first));
  }

  private trackPause(frame: ClassifiedFrame, at: number): void {
    if (!frame.isSpeech) {
      if (this.pauseStart === null) this.pauseLevels = 0;
      this.pauseStart ??= at;
      this.pauseLevels += frame.levelDb;
    } else if (this.pauseStart !== null) {
      this.pauses.push({
        start: this.pauseStart,
        end: at,
        meanLevelDb: this.pauseLevels / (at - this.pauseStart),
      });
      this.pauseStart = null;
    }
  }

  private levelAt(frame: number): number {
    return this.frames[frame - this.first]?.levelDb ?? Infinity;
  }
}
