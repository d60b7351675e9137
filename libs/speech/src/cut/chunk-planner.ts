import type { Frame } from '../vad/frame.js';
import type { CutRules } from './cut-rules.js';
import { OpenChunk } from './open-chunk.js';
import { choosePause, middle, type Pause } from './pause.js';

/** A stretch of the file, in frames: `start` is the first, `end` the first after it. */
export interface Span {
  start: number;
  end: number;
}

/** Decides where chunks begin and end, from judged frames as they come. Holds at most one chunk's worth. */
export class ChunkPlanner {
  private open: OpenChunk | null = null;
  private now = 0;
  private lastEnd = 0;

  constructor(private readonly rules: CutRules) {}

  /** Takes the next frame; returns the chunk that this completes. */
  push(frame: Frame): Span[] {
    const at = this.now;
    this.now += 1;
    if (!this.open && !frame.speech) return [];
    this.open ??= new OpenChunk(Math.max(this.lastEnd, at - this.rules.padding), at);
    this.open.push(frame);
    return this.settle(this.open);
  }

  /** The last chunk, when one is open. */
  flush(): Span[] {
    if (!this.open) return [];
    const pause = this.open.lastPause;
    return [pause ? this.closeAt(this.open, pause) : this.close(this.open, this.now, null)];
  }

  /** No later chunk begins before this frame. */
  get earliestNeeded(): number {
    return this.open?.start ?? Math.max(this.lastEnd, this.now - this.rules.padding);
  }

  private settle(chunk: OpenChunk): Span[] {
    const { rules } = this;
    const pause = chunk.lastPause;
    if (pause && pause.to - pause.from >= rules.longSilence) return [this.closeAt(chunk, pause)];
    if (chunk.length >= rules.max) return [this.cutNow(chunk)];
    // A pause that still lasts may become the best of all.
    if (chunk.length < rules.settle || pause) return [];
    const best = this.choose(chunk, chunk.endedPauses, rules.earliest);
    return best ? [this.cutIn(chunk, best)] : [];
  }

  /** The chunk may not grow: the best pause in it, wherever it is; without any, its quietest frame near the end. */
  private cutNow(chunk: OpenChunk): Span {
    const last = chunk.lastPause;
    const pauses = last ? [...chunk.endedPauses, last] : chunk.endedPauses;
    const best = this.choose(chunk, pauses, this.rules.earliest) ?? this.choose(chunk, pauses, 0);
    if (best && best === last) return this.closeAt(chunk, best);
    if (best) return this.cutIn(chunk, best);
    const cut = chunk.quietest(chunk.start + Math.floor((this.rules.max * 3) / 4));
    return this.close(chunk, cut, chunk.rest(cut, cut));
  }

  private choose(chunk: OpenChunk, pauses: readonly Pause[], earliest: number): Pause | undefined {
    const inReach = pauses.filter((pause) => middle(pause) - chunk.start >= earliest);
    return choosePause(inReach, { target: chunk.start + this.rules.target, spread: this.rules.target / 3 });
  }

  /** Cuts in a pause that is over; both sides keep at most the padding of it. */
  private cutIn(chunk: OpenChunk, pause: Pause): Span {
    const { padding } = this.rules;
    const end = Math.min(pause.from + padding, middle(pause));
    const start = Math.max(pause.to - padding, middle(pause));
    return this.close(chunk, end, chunk.rest(start, pause.to));
  }

  /** Ends the chunk with the pause it is in. */
  private closeAt(chunk: OpenChunk, pause: Pause): Span {
    return this.close(chunk, Math.min(pause.from + this.rules.padding, pause.to), null);
  }

  private close(chunk: OpenChunk, end: number, rest: OpenChunk | null): Span {
    this.open = rest;
    this.lastEnd = end;
    return { start: chunk.start, end };
  }
}
