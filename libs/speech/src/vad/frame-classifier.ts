import type { Frame } from './frame.js';

/** Tells speech from the rest in a stream of any length, in constant memory. */
export interface FrameClassifier {
  /** The next frames that are decided, in order, some seconds behind the samples (16 kHz mono). */
  push(samples: Int16Array): Frame[] | Promise<Frame[]>;
  /** The remaining frames. The last one stands for less than 20 ms when the samples end within it. */
  flush(): Frame[] | Promise<Frame[]>;
}
