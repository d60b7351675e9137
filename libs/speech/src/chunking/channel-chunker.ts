import {
  type ClassifiedFrame,
  FRAME_SAMPLES,
  type FrameClassifier,
  FRAMES_PER_SECOND,
  type FrameRange,
} from '../vad/frame.js';
import { PcmBuffer, SAMPLE_RATE } from '../wav/pcm.js';
import { ChunkPacker, type AudioPieceWithSpeechSpans, type PackedChunk } from './chunk-packer.js';
import { type ChunkingParams, ChunkPlanner } from './chunk-planner.js';
import { SpeechTimeline } from './speech-timeline.js';

/** Splits one channel of audio into chunks and drops silence. Holds at most two chunks. */
export class ChannelChunker {
  private readonly planner: ChunkPlanner;
  private readonly packer: ChunkPacker;
  private readonly pcm = new PcmBuffer();
  private readonly timeline = new SpeechTimeline();
  private speechFrames = 0;
  /** Whether each frame that the classifier has not decided is without speech anyway. */
  private readonly silenced: boolean[] = [];

  /** @param packedSeconds short chunks are joined up to this length; 0: not */
  constructor(
    private readonly classifier: FrameClassifier,
    params: ChunkingParams,
    packedSeconds: number,
  ) {
    this.planner = new ChunkPlanner(params);
    this.packer = new ChunkPacker(packedSeconds);
  }

  /** Seconds so far, silence included. */
  get duration(): number {
    return this.pcm.end / SAMPLE_RATE;
  }

  get speechSeconds(): number {
    return Math.min(this.duration, this.speechFrames / FRAMES_PER_SECOND);
  }

  /**
   * @param samples 16 kHz
   * @param silenced by frame, for frames that these samples complete: true if it has no speech, whatever is detected
   * @throws like the classifier
   */
  async push(samples: Int16Array, silenced: readonly boolean[] = []): Promise<PackedChunk[]> {
    this.pcm.append(samples);
    for (const frame of silenced) this.silenced.push(frame);
    return this.processFrames(await this.classifier.push(samples));
  }

  /** @throws like the classifier */
  async flush(silenced: readonly boolean[] = []): Promise<PackedChunk[]> {
    for (const frame of silenced) this.silenced.push(frame);
    const chunks = this.processFrames(await this.classifier.flush());
    return [...chunks, ...this.packSpans(this.planner.flush()), ...this.packer.flush()];
  }

  private processFrames(frames: ClassifiedFrame[]): PackedChunk[] {
    const silenced = this.silenced.splice(0, frames.length);
    const chunks = frames.flatMap((classified, index) => {
      const isSpeech = classified.isSpeech && silenced[index] !== true;
      const frame = { ...classified, isSpeech };
      if (isSpeech) this.speechFrames += 1;
      this.timeline.push(frame);
      return this.packSpans(this.planner.push(frame));
    });
    this.pcm.dropBefore(this.planner.earliestNeededFrame * FRAME_SAMPLES);
    this.timeline.dropBefore(this.planner.earliestNeededFrame);
    return chunks;
  }

  private packSpans(spans: FrameRange[]): PackedChunk[] {
    return spans.flatMap((span) =>
      this.packer.push({ ...this.cutPiece(span), speech: this.timeline.speechIn(span) }),
    );
  }

  private cutPiece(span: FrameRange): Omit<AudioPieceWithSpeechSpans, 'speech'> {
    const start = span.start * FRAME_SAMPLES;
    // The last frame of a file may be incomplete.
    const end = Math.min(span.end * FRAME_SAMPLES, this.pcm.end);
    return { start: start / SAMPLE_RATE, end: end / SAMPLE_RATE, samples: this.pcm.slice(start, end) };
  }
}
