import { AudioFetchError } from './audio-fetch-error.js';
import type { OutboundResponseData } from './send-request.js';
import { parseHttpUrl } from './request-target.js';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * Where a redirect leads; undefined when the answer is none.
 * @throws SsrfBlockedError for a place that may not be requested
 * @throws AudioFetchError when it names no place
 */
export function nextRedirect(from: URL, { statusCode, headers }: OutboundResponseData): URL | undefined {
  if (!REDIRECT_STATUSES.has(statusCode)) return undefined;
  const { location } = headers;
  if (typeof location !== 'string' || !URL.canParse(location, from.href))
    throw new AudioFetchError(
      'redirects',
      `the server answered ${statusCode} without saying where to`,
      false,
    );
  return parseHttpUrl(new URL(location, from.href).href);
}
