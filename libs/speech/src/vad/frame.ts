import { SAMPLE_RATE } from '../wav/sample-rate.js';

/** Samples of one frame: 20 ms. */
export const FRAME_SAMPLES = 320;

export const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME_SAMPLES;

/** One frame of sound, judged. */
export interface Frame {
  /** Level in dB below full scale, without the lowest rumble. */
  level: number;
  speech: boolean;
}
