import { SAMPLE_RATE } from '../wav/pcm.js';

/** A longer gap between timestamps is damage, not silence. */
export const MAX_GAP_SECONDS = 1800;

/** Less is jitter: many containers round their timestamps. */
const MIN_GAP_SAMPLES = SAMPLE_RATE / 10;
const MAX_GAP_SAMPLES = MAX_GAP_SECONDS * SAMPLE_RATE;
/** Rounding of a timestamp in milliseconds. */
const ROUNDING_SAMPLES = SAMPLE_RATE / 1000;

/** Of a block of audio, in samples. */
export interface AudioBlockTimes {
  start: number;
  length: number;
  /** Null for the last block. */
  nextStart: number | null;
}

/** Finds the gaps between blocks of audio. A clock that restarts or jumps continues where the audio so far ends. */
export class AudioGapTracker {
  private end = 0;
  /** From the clock of the blocks to the position in the audio. */
  private offset = 0;
  /** Of the block before, by its own time. */
  private previousEnd = -Infinity;

  /** @returns samples without sound before the block */
  findGapBefore({ start, length, nextStart }: AudioBlockTimes): number {
    // ffmpeg gives one block a wrong time where the sample rate changes, and those after it no earlier time than that.
    const follows = start + ROUNDING_SAMPLES >= this.previousEnd;
    this.previousEnd = start + length;
    const isFollowed = nextStart === null || nextStart + ROUNDING_SAMPLES >= this.previousEnd;
    const gap = follows && isFollowed ? this.measureGap(start) : 0;
    this.end += gap + length;
    return gap;
  }

  private measureGap(start: number): number {
    const gap = Math.round(start + this.offset - this.end);
    if (gap <= -MIN_GAP_SAMPLES || gap >= MAX_GAP_SAMPLES) {
      this.offset -= gap;
      return 0;
    }
    return gap > (this.end === 0 ? 0 : MIN_GAP_SAMPLES) ? gap : 0;
  }
}
