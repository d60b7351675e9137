import { FRAMES_PER_SECOND, type Frame } from '../vad/frame.js';
import type { FrameRange } from './chunk-planner.js';

/** A stretch of speech; seconds from the start of its chunk. */
export interface SpeechSpan {
  start: number;
  end: number;
}

/** Remembers in which frames there was speech, for as long as chunks may still need them. */
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

  /** The speech in a chunk, which is given in frames of the file. */
  speechIn({ start, end }: FrameRange): SpeechSpan[] {
    return this.runs
      .filter((run) => run.end > start && run.start < end)
      .map((run) => ({
        start: (Math.max(run.start, start) - start) / FRAMES_PER_SECOND,
        end: (Math.min(run.end, end) - start) / FRAMES_PER_SECOND,
      }));
  }

  /** No chunk will begin before this frame of the file. */
  dropBefore(frame: number): void {
    this.runs = this.runs.filter((run) => run.end > frame);
  }
}
