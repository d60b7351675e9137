import type { Job } from '../api/jobs.ts';

/**
 * Puts the newest jobs into the loaded ones: new jobs come first, changed ones replace the loaded, and what the newest
 * page no longer has within its span was deleted or matches no more.
 * @param newest newest first; null while it is not loaded
 * @param isLast whether there is no job after the newest ones
 * @returns null if jobs between the two may be missing, so that the list has to be loaded again
 */
export function mergeNewestJobs(
  loaded: readonly Job[],
  newest: readonly Job[] | null,
  isLast: boolean,
): Job[] | null {
  const oldest = newest?.at(-1);
  if (!newest || !oldest) return newest && isLast ? [] : [...loaded];
  if (isLast) return [...newest];
  const older = loaded.filter(({ created_at }) => created_at < oldest.created_at);
  const first = loaded[0];
  const reaches = first !== undefined && first.created_at >= oldest.created_at;
  return reaches ? [...newest, ...older] : null;
}
