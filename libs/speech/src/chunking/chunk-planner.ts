import { choosePause, OpenChunk, type Pause, pauseMidpoint } from './open-chunk.js';
import { type Frame, FRAMES_PER_SECOND } from '../vad/frame.js';

/** How a stream of frames is cut into chunks; every value in frames of 20 ms. */
export interface ChunkingParams {
  /** Length a chunk should have. */
  targetFrames: number;
  /** Length that no chunk exceeds. */
  maxFrames: number;
  /** Cuts are looked for from here on. */
  minFrames: number;
  /** With this length reached, the best pause so far is taken. */
  splitAtFrames: number;
  /** Silence left at the ends of a chunk, at most. */
  paddingFrames: number;
  /** Silence that ends a chunk of any length. */
  longSilenceFrames: number;
}

const PADDING_SECONDS = 0.3;
const LONG_SILENCE_SECONDS = 2;

/** The rules for chunks near `targetSeconds` and never above `maxSeconds`. Throws `RangeError` when they make no sense. */
export function buildChunkingParams(targetSeconds: number, maxSeconds: number): ChunkingParams {
  if (!(targetSeconds >= 1 && maxSeconds >= targetSeconds && Number.isFinite(maxSeconds))) {
    throw new RangeError('A chunk has a target of at least one second and a maximum not below it.');
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

/** A stretch of the file, in frames: `start` is the first, `end` the first after it. */
export interface FrameRange {
  start: number;
  end: number;
}

/** Decides where chunks begin and end, from judged frames as they come. Holds at most one chunk's worth. */
export class ChunkPlanner {
  private open: OpenChunk | null = null;
  private nextFrame = 0;
  private lastEnd = 0;

  constructor(private readonly params: ChunkingParams) {}

  /** Takes the next frame; returns the chunk that this completes. */
  push(frame: Frame): FrameRange[] {
    const at = this.nextFrame;
    this.nextFrame += 1;
    if (!this.open && !frame.speech) return [];
    this.open ??= new OpenChunk(Math.max(this.lastEnd, at - this.params.paddingFrames), at);
    this.open.push(frame);
    return this.splitIfReady(this.open);
  }

  /** The last chunk, when one is open. */
  flush(): FrameRange[] {
    if (!this.open) return [];
    const pause = this.open.trailingPause;
    return [
      pause ? this.closeInTrailingPause(this.open, pause) : this.close(this.open, this.nextFrame, null),
    ];
  }

  /** No later chunk begins before this frame. */
  get earliestNeededFrame(): number {
    return this.open?.start ?? Math.max(this.lastEnd, this.nextFrame - this.params.paddingFrames);
  }

  private splitIfReady(chunk: OpenChunk): FrameRange[] {
    const { params: rules } = this;
    const pause = chunk.trailingPause;
    if (pause && pause.end - pause.start >= rules.longSilenceFrames)
      return [this.closeInTrailingPause(chunk, pause)];
    if (chunk.length >= rules.maxFrames) return [this.splitAtMaxLength(chunk)];
    // A pause that still lasts may become the best of all.
    if (chunk.length < rules.splitAtFrames || pause) return [];
    const best = this.chooseSplitPause(chunk, chunk.completedPauses, rules.minFrames);
    return best ? [this.splitInPause(chunk, best)] : [];
  }

  /** The chunk may not grow: the best pause in it, wherever it is; without any, its quietest frame near the end. */
  private splitAtMaxLength(chunk: OpenChunk): FrameRange {
    const last = chunk.trailingPause;
    const pauses = last ? [...chunk.completedPauses, last] : chunk.completedPauses;
    const best =
      this.chooseSplitPause(chunk, pauses, this.params.minFrames) ?? this.chooseSplitPause(chunk, pauses, 0);
    if (best && best === last) return this.closeInTrailingPause(chunk, best);
    if (best) return this.splitInPause(chunk, best);
    const cut = chunk.quietestFrameFrom(chunk.start + Math.floor((this.params.maxFrames * 3) / 4));
    return this.close(chunk, cut, chunk.remainderFrom(cut, cut));
  }

  private chooseSplitPause(chunk: OpenChunk, pauses: readonly Pause[], earliest: number): Pause | undefined {
    const inReach = pauses.filter((pause) => pauseMidpoint(pause) - chunk.start >= earliest);
    return choosePause(inReach, {
      target: chunk.start + this.params.targetFrames,
      spread: this.params.targetFrames / 3,
    });
  }

  /** Cuts in a pause that is over; both sides keep at most the padding of it. */
  private splitInPause(chunk: OpenChunk, pause: Pause): FrameRange {
    const { paddingFrames: padding } = this.params;
    const end = Math.min(pause.start + padding, pauseMidpoint(pause));
    const start = Math.max(pause.end - padding, pauseMidpoint(pause));
    return this.close(chunk, end, chunk.remainderFrom(start, pause.end));
  }

  /** Ends the chunk with the pause it is in. */
  private closeInTrailingPause(chunk: OpenChunk, pause: Pause): FrameRange {
    return this.close(chunk, Math.min(pause.start + this.params.paddingFrames, pause.end), null);
  }

  private close(chunk: OpenChunk, end: number, rest: OpenChunk | null): FrameRange {
    this.open = rest;
    this.lastEnd = end;
    return { start: chunk.start, end };
  }
}
