import { SAMPLE_RATE } from '../wav/pcm.js';

/** Samples of one frame: 20 ms. */
export const FRAME_SAMPLES = 320;

export const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME_SAMPLES;

/** One frame of sound, judged. */
export interface Frame {
  /** Level in dB below full scale, without the lowest rumble. */
  level: number;
  speech: boolean;
}

/** Tells speech from the rest in a stream of any length, in constant memory. */
export interface FrameClassifier {
  /** The next frames that are decided, in order, some seconds behind the samples (16 kHz mono). */
  push(samples: Int16Array): Frame[] | Promise<Frame[]>;
  /** The remaining frames. The last one stands for less than 20 ms when the samples end within it. */
  flush(): Frame[] | Promise<Frame[]>;
}
