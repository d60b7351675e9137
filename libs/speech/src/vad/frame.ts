import { SAMPLE_RATE } from '../wav/pcm.js';

/** 20 ms. */
export const FRAME_SAMPLES = 320;

export const FRAMES_PER_SECOND = SAMPLE_RATE / FRAME_SAMPLES;

/** One classified frame of audio. */
export interface Frame {
  /** dB of full scale, after a high-pass filter. */
  level: number;
  speech: boolean;
}

/** Classifies the frames of a stream as speech or not, in constant memory. */
export interface FrameClassifier {
  /** @param samples 16 kHz mono @returns the frames decided so far, some seconds behind */
  push(samples: Int16Array): Frame[] | Promise<Frame[]>;
  /** The remaining frames; the last one may be incomplete. */
  flush(): Frame[] | Promise<Frame[]>;
}
