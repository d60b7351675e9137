import type { Frame } from '../vad/frame.js';

/** A run of frames without speech; `end` is exclusive. */
export interface Pause {
  start: number;
  end: number;
  /** Mean level in dB. */
  level: number;
}

/** In frames of the file. */
export interface PausePreference {
  /** The ideal split point. */
  target: number;
  /** Distance from the target at which the score of a pause is halved. */
  spread: number;
}

/** Prefers long pauses near the target; of equal ones the quieter. Undefined if there are none. */
export function choosePause(pauses: readonly Pause[], preference: PausePreference): Pause | undefined {
  const ranked = pauses.map((pause) => ({ pause, score: scorePause(pause, preference) }));
  ranked.sort((a, b) => b.score - a.score || a.pause.level - b.pause.level);
  return ranked[0]?.pause;
}

export function pauseMidpoint(pause: Pause): number {
  return Math.floor((pause.start + pause.end) / 2);
}

function scorePause(pause: Pause, { target, spread }: PausePreference): number {
  const distance = Math.min(1, Math.abs(pauseMidpoint(pause) - target) / spread);
  return (pause.end - pause.start) * (1 - distance / 2);
}

/** A chunk that is still growing. All frame numbers are those of the file. */
export class OpenChunk {
  private readonly pauses: Pause[] = [];
  private pauseStart: number | null = null;
  private pauseLevels = 0;

  /** @param start of the chunk, silence included @param first frame number of `frames[0]` */
  constructor(
    readonly start: number,
    private readonly first: number,
    private readonly frames: Frame[] = [],
  ) {
    frames.forEach((frame, index) => this.trackPause(frame, first + index));
  }

  push(frame: Frame): void {
    this.frames.push(frame);
    this.trackPause(frame, this.end - 1);
  }

  /** Number of the next frame. */
  get end(): number {
    return this.first + this.frames.length;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** The pauses that are over. */
  get completedPauses(): readonly Pause[] {
    return this.pauses;
  }

  /** The pause at the end so far. */
  get trailingPause(): Pause | null {
    if (this.pauseStart === null) return null;
    return { start: this.pauseStart, end: this.end, level: this.pauseLevels / (this.end - this.pauseStart) };
  }

  /** The quietest frame not before `from`. */
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

  private trackPause(frame: Frame, at: number): void {
    if (!frame.speech) {
      if (this.pauseStart === null) this.pauseLevels = 0;
      this.pauseStart ??= at;
      this.pauseLevels += frame.level;
    } else if (this.pauseStart !== null) {
      this.pauses.push({ start: this.pauseStart, end: at, level: this.pauseLevels / (at - this.pauseStart) });
      this.pauseStart = null;
    }
  }

  private levelAt(frame: number): number {
    return this.frames[frame - this.first]?.level ?? Infinity;
  }
}
