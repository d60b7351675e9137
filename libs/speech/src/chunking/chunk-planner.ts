import { choosePause, OpenChunk, type FramePause, findPauseMidpoint } from './open-chunk.js';
import { type ClassifiedFrame, FRAMES_PER_SECOND, type FrameRange } from '../vad/frame.js';

/** All values in frames of 20 ms. */
export interface ChunkingParams {
  targetFrames: number;
  maxFrames: number;
  minFrames: number;
  /** From this length on the chunk is split at the best pause. */
  splitAtFrames: number;
  /** Maximum silence kept at the ends of a chunk. */
  paddingFrames: number;
  /** A pause of this length always ends a chunk. */
  longSilenceFrames: number;
}

const PADDING_SECONDS = 0.3;
const LONG_SILENCE_SECONDS = 2;

/** @throws RangeError unless 1 <= `targetSeconds` <= `maxSeconds` < Infinity */
export function buildChunkingParams(targetSeconds: number, maxSeconds: number): ChunkingParams {
  if (!(targetSeconds >= 1 && maxSeconds >= targetSeconds && Number.isFinite(maxSeconds))) {
    throw new RangeError(
      'Invalid chunk length: the target must be at least 1 s, the maximum at least the target.',
    );
  }
  const target = Math.round(targetSeconds * FRAMES_PER_SECOND);
  const max = Math.floor(maxSeconds * FRAMES_PER_SECOND);
  return {
    targetFrames: target,
    maxFrames: max,
    minFrames: Math.round((target * 2) / 3),
    splitAtFrames: Math.min(max, Math.round((target * 4) / 3)),
    paddingFrames: Math.round(PADDING_SECONDS * FRAMES_PER_SECOND),
    longSilenceFrames: Math.min(max, Math.round(LONG_SILENCE_SECONDS * FRAMES_PER_SECOND)),
  };
}

/** Holds at most one chunk of frames. */
export class ChunkPlanner {
  private open: OpenChunk | null = null;
  private nextFrame = 0;
  private lastEnd = 0;

  constructor(private readonly params: ChunkingParams) {}

  /** Returns the chunk that the frame completes, if any. */
  push(frame: ClassifiedFrame): FrameRange[] {
    const at = this.nextFrame;
    this.nextFrame += 1;
    if (!this.open && !frame.isSpeech) return [];
    this.open ??= new OpenChunk(Math.max(this.lastEnd, at - this.params.paddingFrames), at);
    this.open.push(frame);
    return this.splitIfReady(this.open);
  }

  flush(): FrameRange[] {
    if (!this.open) return [];
    const pause = this.open.trailingPause;
    return [
      pause ? this.closeInTrailingPause(this.open, pause) : this.close(this.open, this.nextFrame, null),
    ];
  }

  get earliestNeededFrame(): number {
    return this.open?.start ?? Math.max(this.lastEnd, this.nextFrame - this.params.paddingFrames);
  }

  private splitIfReady(chunk: OpenChunk): FrameRange[] {
    const { params } = this;
    const pause = chunk.trailingPause;
    if (pause && pause.end - pause.start >= params.longSilenceFrames)
      return [this.closeInTrailingPause(chunk, pause)];
    if (chunk.length >= params.maxFrames) return [this.splitAtMaxLength(chunk)];
    // A pause that has not ended may become the best one.
    if (chunk.length < params.splitAtFrames || pause) return [];
    const best = this.chooseSplitPause(chunk, chunk.completedPauses, params.minFrames);
    return best ? [this.splitInPause(chunk, best)] : [];
  }

  /** Without a pause, splits at the quietest frame of the last quarter. */
  private splitAtMaxLength(chunk: OpenChunk): FrameRange {
    const last = chunk.trailingPause;
    const pauses = last ? [...chunk.completedPauses, last] : chunk.completedPauses;
    const best =
      this.chooseSplitPause(chunk, pauses, this.params.minFrames) ?? this.chooseSplitPause(chunk, pauses, 0);
    if (best && best === last) return this.closeInTrailingPause(chunk, best);
    if (best) return this.splitInPause(chunk, best);
    const splitFrame = chunk.quietestFrameFrom(chunk.start + Math.floor((this.params.maxFrames * 3) / 4));
    return this.close(chunk, splitFrame, chunk.remainderFrom(splitFrame, splitFrame));
  }

  private chooseSplitPause(
    chunk: OpenChunk,
    pauses: readonly FramePause[],
    earliest: number,
  ): FramePause | undefined {
    const inReach = pauses.filter((pause) => findPauseMidpoint(pause) - chunk.start >= earliest);
    return choosePause(inReach, {
      target: chunk.start + this.params.targetFrames,
      spread: this.params.targetFrames / 3,
    });
  }

  /** Both chunks keep at most the padding. */
  private splitInPause(chunk: OpenChunk, pause: FramePause): FrameRange {
    const { paddingFrames } = this.params;
    const end = Math.min(pause.start + paddingFrames, findPauseMidpoint(pause));
    const start = Math.max(pause.end - paddingFrames, findPauseMidpoint(pause));
    return this.close(chunk, end, chunk.remainderFrom(start, pause.end));
  }

  private closeInTrailingPause(chunk: OpenChunk, pause: FramePause): FrameRange {
    return this.close(chunk, Math.min(pause.start + this.params.paddingFrames, pause.end), null);
  }

  private close(chunk: OpenChunk, end: number, rest: OpenChunk | null): FrameRange {
    this.open = rest;
    this.lastEnd = end;
    return { start: chunk.start, end };
  }
}
