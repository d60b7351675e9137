import { setTimeout as wait } from 'node:timers/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import type { PartialFile } from './partial-file.js';
import { RetryableDownloadError, ModelPullError, ServerUnreachableError } from './model-pull-errors.js';

const CONNECT_TIMEOUT_MS = 8_000;
const IDLE_TIMEOUT_MS = 30_000;
/** Consecutive attempts that get no further than one before. */
const MAX_FRUITLESS_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1_000;
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** The server cannot be reached, so that retries are pointless. */
const UNREACHABLE_CODES = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface DownloadOptions {
  url: string;
  /** Bytes of the whole file. */
  bytes: number;
  partial: PartialFile;
  signal: AbortSignal;
  /** Called with the number of downloaded bytes. */
  onProgress: (bytes: number) => void;
  firstDelayMs?: number;
}

/** Uses `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
const agent = new EnvHttpProxyAgent({
  connect: { timeout: CONNECT_TIMEOUT_MS },
  headersTimeout: IDLE_TIMEOUT_MS,
  bodyTimeout: IDLE_TIMEOUT_MS,
});

/**
 * Resumes an interrupted download, as long as attempts get further than those before.
 * @returns whether the file consists of several responses
 * @throws ServerUnreachableError; ModelPullError for a final response; the reason of the signal
 */
export async function downloadIntoPartialFile(options: DownloadOptions): Promise<boolean> {
  const { partial, bytes, signal, url, firstDelayMs = FIRST_DELAY_MS } = options;
  let attemptsWithoutProgress = 0;
  let isAssembled = false;
  // Not the size before the attempt: a server that cuts every response and refuses ranges adds the same bytes again and again.
  let furthest = await partial.size();
  while ((await partial.size()) < bytes) {
    isAssembled ||= (await partial.size()) > 0;
    try {
      await downloadOnce(options);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RetryableDownloadError)) throw error;
      const reached = await partial.size();
      attemptsWithoutProgress = reached > furthest ? 0 : attemptsWithoutProgress + 1;
      furthest = Math.max(furthest, reached);
      if (attemptsWithoutProgress >= MAX_FRUITLESS_ATTEMPTS)
        throw new ModelPullError(`${url}: ${error.message}.`, { cause: error });
      await wait(firstDelayMs * 2 ** attemptsWithoutProgress, undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      );
    }
  }
  return isAssembled;
}

/** @throws RetryableDownloadError if bytes are missing */
async function downloadOnce({ url, bytes, partial, signal, onProgress }: DownloadOptions): Promise<void> {
  const downloaded = await partial.size();
  onProgress(downloaded);
  const response = await requestFrom(url, downloaded, await partial.readValidator(), signal);
  let size = await resolveStart(response, downloaded, partial);
  onProgress(size);
  const onAppended = (count: number) => onProgress((size += count));
  if (response.body) await partial.append(response.body, bytes, onAppended).catch(toInterruptedError);
  if (size < bytes)
    throw new RetryableDownloadError(`the connection was cut after ${size} of ${bytes} bytes`);
}

async function requestFrom(
  url: string,
  downloaded: number,
  validator: string | null,
  signal: AbortSignal,
): Promise<Response> {
  // Ranges of a compressed response cannot be joined.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (downloaded > 0) headers['range'] = `bytes=${downloaded}-`;
  if (downloaded > 0 && validator !== null) headers['if-range'] = validator;
  return fetch(url, { headers, signal, dispatcher: agent }).catch((error: unknown) => {
    signal.throwIfAborted();
    const { cause = error } = error as { cause?: unknown };
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== undefined && UNREACHABLE_CODES.has(code))
      throw new ServerUnreachableError(`Nothing answers at ${new URL(url).origin} (${code}).`, {
        cause: error,
      });
    throw new RetryableDownloadError(code ?? message, { cause: error });
  });
}

/**
 * @returns the position of the response in the file
 * @throws RetryableDownloadError, also if the file must be requested again from its start
 */
async function resolveStart(response: Response, downloaded: number, partial: PartialFile): Promise<number> {
  const { status, headers, url } = response;
  if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${downloaded}-`)) return downloaded;
  if (status === 200) {
    await partial.restart(headers.get('etag') ?? headers.get('last-modified'));
    return 0;
  }
  await response.body?.cancel();
  if (downloaded > 0 && (status === 206 || status === 416)) {
    // The server has another version of the file, or refuses ranges.
    await partial.discard();
    throw new RetryableDownloadError(`it answers HTTP ${status} without the requested range`);
  }
  if (RETRYABLE_STATUSES.has(status)) throw new RetryableDownloadError(`it answers HTTP ${status}`);
  throw new ModelPullError(`${url} answers HTTP ${status}.`);
}

/** Errors of the file system, such as a full disk, are final. */
function toInterruptedError(error: unknown): never {
  if (error instanceof ModelPullError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new RetryableDownloadError('the connection was cut', { cause: error });
}
