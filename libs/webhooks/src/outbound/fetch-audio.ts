import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { limitBodySize } from './limit-body-size.js';
import { Deadline } from './deadline.js';
import { AudioFetchError, toAudioFetchError } from './audio-fetch-error.js';
import { nextRedirect } from './next-redirect.js';
import { type OutboundResponseData, discardBody, sendRequest } from './send-request.js';
import { parseHttpUrl } from './request-target.js';

export interface FetchTimeouts {
  /** Milliseconds until the headers of each answer. Default 30 s. */
  headersMs?: number;
  /** Milliseconds without a byte. Default 30 s. */
  idleMs?: number;
  /** Milliseconds in all, redirects and body included. Default an hour. */
  totalMs?: number;
}

export interface FetchAudioOptions {
  maxBytes: number;
  timeouts?: FetchTimeouts;
  /** Ends the fetch; the error is then the signal's own reason. */
  signal?: AbortSignal;
}

export interface FetchedAudio {
  /** Fails with `AudioFetchError` when it breaks off, grows past the limit or falls silent. To be read or destroyed. */
  body: Readable;
  /** Bytes, where the server told. */
  contentLength: number | undefined;
}

const MAX_REDIRECTS = 5;
const HEADERS = { 'user-agent': 'Service-Audio/1', accept: '*/*', 'accept-encoding': 'identity' };

/**
 * Opens the file behind an address. Redirects are followed, at most five, each through the same guard.
 * @param dispatcher a guarded one
 * @throws AudioFetchError with a sentence for the job's `reason`
 */
export async function fetchAudio(
  dispatcher: Dispatcher,
  address: string,
  { maxBytes, timeouts = {}, signal }: FetchAudioOptions,
): Promise<FetchedAudio> {
  const { headersMs = 30_000, idleMs = 30_000, totalMs = 3_600_000 } = timeouts;
  const deadline = new Deadline(totalMs, signal);
  try {
    const answer = await followRedirects(dispatcher, address, { headersMs, idleMs, deadline });
    const contentLength = parseContentLength(answer);
    if (contentLength !== undefined && contentLength > maxBytes) {
      discardBody(answer);
      throw AudioFetchError.tooLarge(maxBytes);
    }
    const body = limitBodySize(answer.body, { maxBytes, signal, onEnd: () => deadline.clear() });
    return { body, contentLength };
  } catch (error) {
    deadline.clear();
    throw toAudioFetchError(error, signal);
  }
}

interface FetchLimits {
  headersMs: number;
  idleMs: number;
  deadline: Deadline;
}

async function followRedirects(
  dispatcher: Dispatcher,
  address: string,
  bounds: FetchLimits,
): Promise<OutboundResponseData> {
  let url = parseHttpUrl(address);
  for (let hops = 0; ; hops += 1) {
    const answer = await fetchOnce(dispatcher, url, bounds);
    if (answer.statusCode === 200) return answer;
    discardBody(answer);
    const next = nextRedirect(url, answer);
    if (!next) throw AudioFetchError.fromStatus(answer.statusCode);
    if (hops === MAX_REDIRECTS)
      throw new AudioFetchError('redirects', `it was redirected more than ${MAX_REDIRECTS} times`, false);
    url = next;
  }
}

async function fetchOnce(
  dispatcher: Dispatcher,
  url: URL,
  { headersMs, idleMs, deadline }: FetchLimits,
): Promise<OutboundResponseData> {
  const sending = { method: 'GET', headers: HEADERS, bodyTimeout: idleMs } as const;
  const answer = await deadline.runWithin(headersMs, () =>
    sendRequest(dispatcher, url, sending, deadline.signal),
  );
  return assertIdentityEncoding(answer);
}

function assertIdentityEncoding(answer: OutboundResponseData): OutboundResponseData {
  const encoding = answer.headers['content-encoding'];
  if (answer.statusCode !== 200 || encoding === undefined || encoding === 'identity') return answer;
  discardBody(answer);
  throw new AudioFetchError('encoding', 'the server sent it in an encoding that was not asked for', false);
}

function parseContentLength({ headers }: OutboundResponseData): number | undefined {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
