import type { IncomingHttpHeaders } from 'node:http';

/** @returns bytes; 0 if the length is not declared */
export function parseContentLength(headers: IncomingHttpHeaders): number {
  return Number(headers['content-length'] ?? 0);
}
