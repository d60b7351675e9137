import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { enforceBodyMaxSizeAndMinRate } from './enforce-body-max-size-and-min-rate.js';
import { TimeoutAbortController } from './timeout-abort-controller.js';
import { AudioFetchError, toAudioFetchError } from './audio-fetch-error.js';
import { destroyResponseBody, sendAbortableRequest } from './send-abortable-request.js';
import { parseHttpUrl } from './target-host.js';

export interface FetchTimeouts {
  /** Per response. Default 30 s. */
  headersMs?: number;
  /** Between two chunks of the body, and the time over which its rate is measured. Default 30 s. */
  idleMs?: number;
  /** Includes redirects and body. Default 1 h. */
  totalMs?: number;
}

export interface FetchAudioOptions {
  maxBytes: number;
  /** A slower body fails; any rate by default. */
  minBytesPerSecond?: number;
  timeouts?: FetchTimeouts;
  /** The fetch fails with the reason of the signal. */
  signal?: AbortSignal;
}

export interface AudioFetchResponse {
  /**
   * Fails with `AudioFetchError` if it ends early, exceeds the limit or stalls. The caller must read or
   * destroy it.
   */
  body: Readable;
  /** Bytes; undefined if the server did not send it. */
  contentLength: number | undefined;
}

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const HEADERS = { 'user-agent': 'Service-Audio/1', accept: '*/*', 'accept-encoding': 'identity' };

/**
 * Follows at most five redirects, each checked by the guard.
 * @param dispatcher made by `createGuardedAgent`
 * @throws AudioFetchError with a message for the `reason` of the job
 */
export async function fetchAudio(
  dispatcher: Dispatcher,
  address: string,
  { maxBytes, minBytesPerSecond = 0, timeouts = {}, signal }: FetchAudioOptions,
): Promise<AudioFetchResponse> {
  const { headersMs = 30_000, idleMs = 30_000, totalMs = 3_600_000 } = timeouts;
  const deadline = new TimeoutAbortController(totalMs, signal);
  try {
    const response = await followRedirects(dispatcher, address, { headersMs, idleMs, deadline });
    const contentLength = parseContentLength(response);
    if (contentLength !== undefined && contentLength > maxBytes) {
      destroyResponseBody(response);
      throw AudioFetchError.tooLarge(maxBytes);
    }
    const limits = { maxBytes, minBytesPerSecond, rateWindowMs: idleMs };
    const body = enforceBodyMaxSizeAndMinRate(response.body, limits, signal, () => deadline.clear());
    return { body, contentLength };
  } catch (error) {
    deadline.clear();
    throw toAudioFetchError(error, signal);
  }
}

interface FetchLimits {
  headersMs: number;
  idleMs: number;
  deadline: TimeoutAbortController;
}

async function followRedirects(
  dispatcher: Dispatcher,
  address: string,
  limits: FetchLimits,
): Promise<Dispatcher.ResponseData> {
  let url = parseHttpUrl(address);
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetchOnce(dispatcher, url, limits);
    if (response.statusCode === 200) return response;
    destroyResponseBody(response);
    const next = readRedirectTarget(url, response);
    if (!next) throw AudioFetchError.fromStatus(response.statusCode, response.headers['retry-after']);
    if (redirects === MAX_REDIRECTS)
      throw new AudioFetchError('redirects', `it was redirected more than ${MAX_REDIRECTS} times`, false);
    url = next;
  }
}

async function fetchOnce(
  dispatcher: Dispatcher,
  url: URL,
  { headersMs, idleMs, deadline }: FetchLimits,
): Promise<Dispatcher.ResponseData> {
  const options = { method: 'GET', headers: HEADERS, bodyTimeout: idleMs } as const;
  const response = await deadline.runWithin(headersMs, () =>
    sendAbortableRequest(dispatcher, url, options, deadline.signal),
  );
  return assertIdentityEncoding(response);
}

function assertIdentityEncoding(response: Dispatcher.ResponseData): Dispatcher.ResponseData {
  const encoding = response.headers['content-encoding'];
  if (response.statusCode !== 200 || encoding === undefined || encoding === 'identity') return response;
  destroyResponseBody(response);
  throw new AudioFetchError('encoding', 'the server sent it in an encoding that was not asked for', false);
}

function parseContentLength({ headers }: Dispatcher.ResponseData): number | undefined {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/**
 * @returns undefined if the response is not a redirect
 * @throws SsrfBlockedError if the target is not permitted; AudioFetchError if it is missing or invalid
 */
function readRedirectTarget(from: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | undefined {
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
