import { FRAMES_PER_SECOND, type ClassifiedFrame, type FrameRange } from '../vad/frame.js';

/** Seconds from the start of the chunk. */
export interface SpeechSpan {
  start: number;
  end: number;
}

export class SpeechTimeline {
  /** In frames of the file, in order. */
  private runs: FrameRange[] = [];
  private nextFrame = 0;

  push({ isSpeech }: ClassifiedFrame): void {
    const last = this.runs.at(-1);
    if (isSpeech && last?.end === this.nextFrame) last.end += 1;
    else if (isSpeech) this.runs.push({ start: this.nextFrame, end: this.nextFrame + 1 });
    this.nextFrame += 1;
  }

  speechIn({ start, end }: FrameRange): SpeechSpan[] {
    return this.runs
      .filter((run) => run.end > start && run.start < end)
      .map((run) => ({
        start: (Math.max(run.start, start) - start) / FRAMES_PER_SECOND,
        end: (Math.min(run.end, end) - start) / FRAMES_PER_SECOND,
      }));
  }

  dropBefore(frame: number): void {
    this.runs = this.runs.filter((run) => run.end > frame);
  }
}
