import { FRAMES_PER_SECOND, type Frame } from '../vad/frame.js';
import type { FrameRange } from './chunk-planner.js';

/** Seconds from the start of the chunk. */
export interface SpeechSpan {
  start: number;
  end: number;
}

/** Records which frames are speech, for as long as chunks need them. */
export class SpeechTimeline {
  /** In frames of the file, in order. */
  private runs: FrameRange[] = [];
  private nextFrame = 0;

  push({ speech }: Frame): void {
    const last = this.runs.at(-1);
    if (speech && last?.end === this.nextFrame) last.end += 1;
    else if (speech) this.runs.push({ start: this.nextFrame, end: this.nextFrame + 1 });
    this.nextFrame += 1;
  }

  /** The speech within a chunk. */
  speechIn({ start, end }: FrameRange): SpeechSpan[] {
    return this.runs
      .filter((run) => run.end > start && run.start < end)
      .map((run) => ({
        start: (Math.max(run.start, start) - start) / FRAMES_PER_SECOND,
        end: (Math.min(run.end, end) - start) / FRAMES_PER_SECOND,
      }));
  }

  /** Forgets the frames before `frame`. */
  dropBefore(frame: number): void {
    this.runs = this.runs.filter((run) => run.end > frame);
  }
}
