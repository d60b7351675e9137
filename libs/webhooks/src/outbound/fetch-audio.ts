import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { boundedBody } from './bounded-body.js';
import { Deadline } from './deadline.js';
import { FetchFailed, toFetchFailed } from './fetch-failed.js';
import { nextHop } from './redirects.js';
import { type Answer, discard, sendRequest } from './send-request.js';
import { parseHttpUrl } from './target.js';

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
  /** Fails with `FetchFailed` when it breaks off, grows past the limit or falls silent. To be read or destroyed. */
  body: Readable;
  /** Bytes, where the server told. */
  contentLength: number | undefined;
}

const MOST_REDIRECTS = 5;
const HEADERS = { 'user-agent': 'Service-Audio/1', accept: '*/*', 'accept-encoding': 'identity' };

/**
 * Opens the file behind an address. Redirects are followed, at most five, each through the same guard.
 * @param dispatcher a guarded one
 * @throws FetchFailed with a sentence for the job's `reason`
 */
export async function fetchAudio(
  dispatcher: Dispatcher,
  address: string,
  { maxBytes, timeouts = {}, signal }: FetchAudioOptions,
): Promise<FetchedAudio> {
  const { headersMs = 30_000, idleMs = 30_000, totalMs = 3_600_000 } = timeouts;
  const deadline = new Deadline(totalMs, signal);
  try {
    const answer = await follow(dispatcher, address, { headersMs, idleMs, deadline });
    const contentLength = declaredLength(answer);
    if (contentLength !== undefined && contentLength > maxBytes) {
      discard(answer);
      throw FetchFailed.tooLarge(maxBytes);
    }
    const body = boundedBody(answer.body, { maxBytes, signal, ended: () => deadline.end() });
    return { body, contentLength };
  } catch (error) {
    deadline.end();
    throw toFetchFailed(error, signal);
  }
}

interface Bounds {
  headersMs: number;
  idleMs: number;
  deadline: Deadline;
}

async function follow(dispatcher: Dispatcher, address: string, bounds: Bounds): Promise<Answer> {
  let url = parseHttpUrl(address);
  for (let hops = 0; ; hops += 1) {
    const answer = await get(dispatcher, url, bounds);
    if (answer.statusCode === 200) return answer;
    discard(answer);
    const next = nextHop(url, answer);
    if (!next) throw FetchFailed.byStatus(answer.statusCode);
    if (hops === MOST_REDIRECTS)
      throw new FetchFailed('redirects', `it was redirected more than ${MOST_REDIRECTS} times`, false);
    url = next;
  }
}

async function get(
  dispatcher: Dispatcher,
  url: URL,
  { headersMs, idleMs, deadline }: Bounds,
): Promise<Answer> {
  const sending = { method: 'GET', headers: HEADERS, bodyTimeout: idleMs } as const;
  const answer = await deadline.within(headersMs, () =>
    sendRequest(dispatcher, url, sending, deadline.signal),
  );
  return checkEncoding(answer);
}

function checkEncoding(answer: Answer): Answer {
  const encoding = answer.headers['content-encoding'];
  if (answer.statusCode !== 200 || encoding === undefined || encoding === 'identity') return answer;
  discard(answer);
  throw new FetchFailed('encoding', 'the server sent it in an encoding that was not asked for', false);
}

function declaredLength({ headers }: Answer): number | undefined {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
