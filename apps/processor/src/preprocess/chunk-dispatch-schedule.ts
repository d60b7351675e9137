/** Each dispatch has this many times the chunks of the previous one. */
const GROWTH_FACTOR = 4;

/**
 * Decides when to dispatch the chunks so far: first as many as are processed in parallel, then four times as many
 * each time. Chunking is much faster than recognition, so the workers do not run out of chunks, and most chunks
 * wait for the end of chunking, where the longest go first. A file of any length has few dispatches.
 */
export class ChunkDispatchSchedule {
  /** @param nextCount chunks of the first dispatch: as many as are processed in parallel */
  constructor(private nextCount: number) {}

  /** @param count chunks so far; call it for each chunk */
  isDue(count: number): boolean {
    if (count < this.nextCount) return false;
    this.nextCount *= GROWTH_FACTOR;
    return true;
  }
}
