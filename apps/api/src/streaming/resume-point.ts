/**
 * The number after which a stream begins. A client that has everything of a finished job is told its end again;
 * an id that this job never gave out is no place to resume from: the stream begins at the start.
 */
export function resumePoint(lastEventId: string | undefined, newestSeq: number, finished: boolean): number {
  const given = lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
  if (given > newestSeq) return 0;
  return finished && given === newestSeq ? newestSeq - 1 : given;
}
