import type { TimeSpan } from '../engine.js';
import type { ResponseSegment } from './transcription-response.js';

interface PlacedSegment extends TimeSpan {
  segment: ResponseSegment;
  /** Position in the response. */
  index: number;
}

/** Finds the segments at a moment without looking at all of them: servers list one for each word. */
export class SegmentFinder {
  /** Sorted by start. Segments without times are at no moment. */
  private readonly placed: readonly PlacedSegment[];
  /** The latest end up to each of them. */
  private readonly latestEnds: number[] = [];

  constructor(segments: readonly ResponseSegment[]) {
    this.placed = segments
      .flatMap((segment, index) => {
        const { start, end } = segment;
        return typeof start === 'number' && typeof end === 'number' ? [{ segment, index, start, end }] : [];
      })
      .sort((a, b) => a.start - b.start);
    let latest = -Infinity;
    for (const { end } of this.placed) {
      latest = Math.max(latest, end);
      this.latestEnds.push(latest);
    }
  }

  /** Segments in the order of the response. */
  findAt(moment: number): ResponseSegment[] {
    return this.find(moment, ({ end }) => moment < end);
  }

  /** Segments in the order of the response. */
  findAround({ start, end }: TimeSpan): ResponseSegment[] {
    return this.find(start, (segment) => end <= segment.end);
  }

  private find(start: number, accepts: (segment: PlacedSegment) => boolean): ResponseSegment[] {
    const found: PlacedSegment[] = [];
    for (let at = this.countStartedBy(start) - 1; at >= 0; at -= 1) {
      if ((this.latestEnds[at] ?? 0) < start) break;
      const candidate = this.placed[at];
      if (candidate && accepts(candidate)) found.push(candidate);
    }
    return found.sort((a, b) => a.index - b.index).map(({ segment }) => segment);
  }

  private countStartedBy(moment: number): number {
    let [low, high] = [0, this.placed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.placed[middle]?.start ?? Infinity) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
