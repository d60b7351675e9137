import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange, ObjectInfo } from '@app/storage';

/**
 * Parses `Range` to a single byte range, clamped to the end of the object. Several ranges, another unit, invalid syntax
 * or an outdated `If-Range` select the whole object, as RFC 9110 allows.
 * @returns undefined for the whole object; a `start` at or after `info.size` if the range cannot be satisfied
 */
export function parseByteRange(headers: IncomingHttpHeaders, info: ObjectInfo): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== `"${info.etag}"`) return undefined;

  if (first === '') {
    const length = Math.min(Number(last), info.size);
    return { start: info.size - length, end: info.size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? info.size - 1 : Math.min(Number(last), info.size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return { start, end };
}
