/** How many times as many chunks there are at each hand-out as at the one before. */
const GROWTH_FACTOR = 4;

/**
 * Says when what was cut so far is handed out: first as many chunks as are worked on at a time, then four times as many as
 * the last time. Cutting is far quicker than recognition, so nobody runs out of work meanwhile; and as much as possible
 * waits for the end of the cut, to go out with the longest first. A file of any length has few hand-outs.
 */
export class ChunkDispatchSchedule {
  /** @param nextCount chunks of the first one: as many as are worked on at a time */
  constructor(private nextCount: number) {}

  /** @param count chunks so far; to be asked at each */
  isDue(count: number): boolean {
    if (count < this.nextCount) return false;
    this.nextCount *= GROWTH_FACTOR;
    return true;
  }
}
