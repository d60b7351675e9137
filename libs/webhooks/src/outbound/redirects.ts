import { FetchFailed } from './fetch-failed.js';
import type { Answer } from './send-request.js';
import { parseHttpUrl } from './target.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Where a redirect leads; undefined when the answer is none.
 * @throws AddressRefused for a place that may not be requested
 * @throws FetchFailed when it names no place
 */
export function nextHop(from: URL, { statusCode, headers }: Answer): URL | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined;
  const { location } = headers;
  if (typeof location !== 'string' || !URL.canParse(location, from.href))
    throw new FetchFailed('redirects', `the server answered ${statusCode} without saying where to`, false);
  return parseHttpUrl(new URL(location, from.href).href);
}
