/**
 * Returns the sequence number after which a stream begins. A client without an id, or with the last one, of a finished
 * job receives the event of its end. An id that does not belong to the job replays from the start.
 */
export function resolveResumePoint(
  lastEventId: string | undefined,
  newestSeq: number,
  isEnded: boolean,
): number {
  const end = isEnded ? newestSeq - 1 : newestSeq;
  // Browsers send an empty id for none.
  if (lastEventId === undefined || lastEventId === '') return isEnded ? end : 0;
  const lastSeq = /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : 0;
  return lastSeq > newestSeq ? 0 : Math.min(lastSeq, end);
}
