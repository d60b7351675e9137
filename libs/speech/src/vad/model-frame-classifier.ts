import { PcmBuffer, SAMPLE_RATE } from '../wav/pcm.js';
import { type Frame, FRAME_SAMPLES, type FrameClassifier, FRAMES_PER_SECOND } from './frame.js';
import { LevelMeter } from './level-meter.js';

/** Samples from the start of the sound; the one of `end` is not included. */
export interface SampleRange {
  start: number;
  end: number;
}

/** Tells speech from everything else by a trained model. */
export interface SpeechDetector {
  /**
   * @param samples 16 kHz mono, below a minute
   * @returns stretches of speech in order of time, not overlapping
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  detect(samples: Int16Array, signal: AbortSignal): Promise<SampleRange[]>;
}

/** Frames that are judged at once: 20 s. */
const BLOCK_FRAMES = 20 * FRAMES_PER_SECOND;
/** Samples before a block with which the model finds into the sound, and after it so that it knows how it goes on. */
const CONTEXT_BEFORE_SAMPLES = 2 * SAMPLE_RATE;
const CONTEXT_AFTER_SAMPLES = SAMPLE_RATE / 2;

/**
 * Finds speech by a model, in a stream of any length, in constant memory. The model sees the stream in blocks that
 * overlap: so it need not keep a state between two calls, and any process that has loaded it can take the next one.
 */
export class ModelFrameClassifier implements FrameClassifier {
  private readonly meter = new LevelMeter();
  private readonly pcm = new PcmBuffer();
  /** Of the frames from `judged` on. */
  private levels: number[] = [];
  /** Frames of the stream that are judged. */
  private classifiedFrames = 0;

  constructor(
    private readonly finder: SpeechDetector,
    private readonly signal: AbortSignal,
  ) {}

  /** Throws as the finder. */
  async push(samples: Int16Array): Promise<Frame[]> {
    this.pcm.append(samples);
    for (const level of this.meter.push(samples)) this.levels.push(level);
    const frames: Frame[] = [];
    while (this.pcm.end >= (this.classifiedFrames + BLOCK_FRAMES) * FRAME_SAMPLES + CONTEXT_AFTER_SAMPLES) {
      for (const frame of await this.classifyNext(BLOCK_FRAMES)) frames.push(frame);
    }
    return frames;
  }

  /** Throws as the finder. */
  async flush(): Promise<Frame[]> {
    this.levels.push(...this.meter.flush());
    return this.levels.length > 0 ? this.classifyNext(this.levels.length) : [];
  }

  private async classifyNext(count: number): Promise<Frame[]> {
    const first = this.classifiedFrames * FRAME_SAMPLES;
    const from = Math.max(0, first - CONTEXT_BEFORE_SAMPLES);
    const samples = this.pcm.slice(from, first + count * FRAME_SAMPLES + CONTEXT_AFTER_SAMPLES);
    const spans = await this.finder.detect(samples, this.signal);
    const frames = this.levels.splice(0, count).map((level, index): Frame => {
      const middle = first - from + (index + 0.5) * FRAME_SAMPLES;
      return { level, speech: spans.some(({ start, end }) => start <= middle && middle < end) };
    });
    this.classifiedFrames += count;
    this.pcm.dropBefore(this.classifiedFrames * FRAME_SAMPLES - CONTEXT_BEFORE_SAMPLES);
    return frames;
  }
}
