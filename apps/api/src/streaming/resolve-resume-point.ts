/**
 * The number after which a stream begins. A client that says nothing, or has everything, of a finished job is told its
 * end. One that says something wants what it missed: an id that this job never gave out is no place to resume from, and
 * nothing is missed by beginning at the start.
 */
export function resolveResumePoint(
  lastEventId: string | undefined,
  newestSeq: number,
  isFinished: boolean,
): number {
  const end = isFinished ? newestSeq - 1 : newestSeq;
  // An empty id is how browsers spell none.
  if (lastEventId === undefined || lastEventId === '') return isFinished ? end : 0;
  const given = /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
  return given > newestSeq ? 0 : Math.min(given, end);
}
