import { PcmBuffer, SAMPLE_RATE } from '../wav/pcm.js';
import { type ClassifiedFrame, FRAME_SAMPLES, type FrameClassifier, FRAMES_PER_SECOND } from './frame.js';
import { LevelMeter } from './level-meter.js';

/** Sample indices; `end` is exclusive. */
export interface SampleRange {
  start: number;
  end: number;
}

export interface SpeechDetector {
  /**
   * @param samples 16 kHz mono, below a minute
   * @returns ranges of speech in order, not overlapping
   * @throws AuxiliaryModelError; the reason of `signal` when it is aborted
   */
  detect(samples: Int16Array, signal: AbortSignal): Promise<SampleRange[]>;
}

/** Frames per model call: 20 s. */
const BLOCK_FRAMES = 20 * FRAMES_PER_SECOND;
/** Context before and after a block, because the model is inaccurate at its edges. */
const CONTEXT_BEFORE_SAMPLES = 2 * SAMPLE_RATE;
const CONTEXT_AFTER_SAMPLES = SAMPLE_RATE / 2;

/** Streaming, in constant memory. Blocks overlap, so that any host process can handle the next block. */
export class ModelFrameClassifier implements FrameClassifier {
  private readonly meter = new LevelMeter();
  private readonly pcm = new PcmBuffer();
  /** Levels of the frames from `classifiedFrames` on. */
  private levels: number[] = [];
  private classifiedFrames = 0;

  constructor(
    private readonly detector: SpeechDetector,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws like the speech detector */
  async push(samples: Int16Array): Promise<ClassifiedFrame[]> {
    this.pcm.append(samples);
    for (const level of this.meter.push(samples)) this.levels.push(level);
    const frames: ClassifiedFrame[] = [];
    while (this.pcm.end >= (this.classifiedFrames + BLOCK_FRAMES) * FRAME_SAMPLES + CONTEXT_AFTER_SAMPLES) {
      for (const frame of await this.classifyNext(BLOCK_FRAMES)) frames.push(frame);
    }
    return frames;
  }

  /** @throws like the speech detector */
  async flush(): Promise<ClassifiedFrame[]> {
    this.levels.push(...this.meter.flush());
    return this.levels.length > 0 ? this.classifyNext(this.levels.length) : [];
  }

  private async classifyNext(count: number): Promise<ClassifiedFrame[]> {
    const first = this.classifiedFrames * FRAME_SAMPLES;
    const from = Math.max(0, first - CONTEXT_BEFORE_SAMPLES);
    const samples = this.pcm.slice(from, first + count * FRAME_SAMPLES + CONTEXT_AFTER_SAMPLES);
    const spans = await this.detector.detect(samples, this.signal);
    const frames = this.levels.splice(0, count).map((level, index): ClassifiedFrame => {
      const middle = first - from + (index + 0.5) * FRAME_SAMPLES;
      return { levelDb: level, isSpeech: spans.some(({ start, end }) => start <= middle && middle < end) };
    });
    this.classifiedFrames += count;
    this.pcm.dropBefore(this.classifiedFrames * FRAME_SAMPLES - CONTEXT_BEFORE_SAMPLES);
    return frames;
  }
}
