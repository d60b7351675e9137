import { SAMPLE_RATE } from '../wav/pcm.js';

/** 20 ms. */
export const FRAME_SAMPLES = 320;

export const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME_SAMPLES;

export interface ClassifiedFrame {
  /** dB of full scale, after a high-pass filter. */
  levelDb: number;
  isSpeech: boolean;
}

/** Frame numbers; `end` is exclusive. */
export interface FrameRange {
  start: number;
  end: number;
}

export function findSpeechRuns(frames: readonly ClassifiedFrame[]): FrameRange[] {
  const runs: FrameRange[] = [];
  for (const [index, { isSpeech }] of frames.entries()) {
    const last = runs.at(-1);
    if (isSpeech && last?.end === index) last.end += 1;
    else if (isSpeech) runs.push({ start: index, end: index + 1 });
  }
  return runs;
}

/** Decides whether frames are speech. Its memory does not grow with the length of the audio. */
export interface FrameClassifier {
  /** @param samples 16 kHz mono @returns the frames decided so far, some seconds behind */
  push(samples: Int16Array): ClassifiedFrame[] | Promise<ClassifiedFrame[]>;
  /** The remaining frames; the last one may be incomplete. */
  flush(): ClassifiedFrame[] | Promise<ClassifiedFrame[]>;
}
