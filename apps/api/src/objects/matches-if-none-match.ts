import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectInfo } from '@app/storage';

/** Whether the client has this object already: `If-None-Match` names its ETag, weak or strong, or any. */
export function matchesIfNoneMatch(
  { 'if-none-match': etags }: IncomingHttpHeaders,
  { etag }: Pick<ObjectInfo, 'etag'>,
): boolean {
  if (etags === undefined) return false;
  return (
    etags.trim() === '*' || etags.split(',').some((each) => each.trim().replace(/^W\//, '') === `"${etag}"`)
  );
}
