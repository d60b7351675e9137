import { setTimeout as wait } from 'node:timers/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import type { PartialFile } from './partial-file.js';
import { DownloadInterruptedError, ModelPullError, ServerUnreachableError } from './model-pull-errors.js';

const CONNECT_MS = 8_000;
/** Without a byte for so long a connection counts as cut. */
const IDLE_TIMEOUT_MS = 30_000;
/** Tries in a row in which nothing came. */
const MAX_FRUITLESS_ATTEMPTS = 5;
const FIRST_DELAY_MS = 1_000;
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);
/** What says that there is no way to the server, rather than trouble on it. */
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
  /** Told the bytes that are there, before and while more come. */
  progress: (bytes: number) => void;
  /** Milliseconds before the second try. */
  firstDelayMs?: number;
}

/** Proxies are those of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
const agent = new EnvHttpProxyAgent({
  connect: { timeout: CONNECT_MS },
  headersTimeout: IDLE_TIMEOUT_MS,
  bodyTimeout: IDLE_TIMEOUT_MS,
});

/**
 * Fetches a file, going on where an earlier try was cut, as long as each brings something.
 * @returns true when it is put together of several answers
 * @throws Unreachable when nothing answers, ModelPullError when the answer is final, the reason of the signal
 */
export async function downloadFile(options: DownloadOptions): Promise<boolean> {
  const { partial, bytes, signal, url, firstDelayMs = FIRST_DELAY_MS } = options;
  let fruitless = 0;
  let pieced = false;
  while ((await partial.size()) < bytes) {
    const before = await partial.size();
    pieced ||= before > 0;
    try {
      await downloadOnce(options);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DownloadInterruptedError)) throw error;
      fruitless = (await partial.size()) > before ? 0 : fruitless + 1;
      if (fruitless >= MAX_FRUITLESS_ATTEMPTS)
        throw new ModelPullError(`${url}: ${error.message}.`, { cause: error });
      await wait(firstDelayMs * 2 ** fruitless, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
  return pieced;
}

/** @throws Interrupted when less than all came */
async function downloadOnce({ url, bytes, partial, signal, progress }: DownloadOptions): Promise<void> {
  const there = await partial.size();
  progress(there);
  const answer = await requestFrom(url, there, await partial.readValidator(), signal);
  const from = await resolveStart(answer, there, partial);
  if (from === null) return;
  let size = from;
  progress(size);
  const counted = (count: number) => progress((size += count));
  if (answer.body) await partial.append(answer.body, bytes, counted).catch(toInterruptedError);
  if (size < bytes)
    throw new DownloadInterruptedError(`the connection was cut after ${size} of ${bytes} bytes`);
}

async function requestFrom(
  url: string,
  there: number,
  validator: string | null,
  signal: AbortSignal,
): Promise<Response> {
  // Compressed parts could not be put together.
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (there > 0) headers['range'] = `bytes=${there}-`;
  if (there > 0 && validator !== null) headers['if-range'] = validator;
  return fetch(url, { headers, signal, dispatcher: agent }).catch((error: unknown) => {
    signal.throwIfAborted();
    const { cause = error } = error as { cause?: unknown };
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== undefined && UNREACHABLE_CODES.has(code))
      throw new ServerUnreachableError(`Nothing answers at ${new URL(url).origin} (${code}).`, {
        cause: error,
      });
    throw new DownloadInterruptedError(code ?? message, { cause: error });
  });
}

/** Where in the file the answer begins; null when it is to be asked anew. */
async function resolveStart(answer: Response, there: number, partial: PartialFile): Promise<number | null> {
  const { status, headers, url } = answer;
  if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${there}-`)) return there;
  if (status === 200) {
    await partial.restart(headers.get('etag') ?? headers.get('last-modified'));
    return 0;
  }
  await answer.body?.cancel();
  if (there > 0 && (status === 206 || status === 416)) {
    // It has another file than the one that was begun.
    await partial.discard();
    return null;
  }
  if (RETRYABLE_STATUSES.has(status)) throw new DownloadInterruptedError(`it answers HTTP ${status}`);
  throw new ModelPullError(`${url} answers HTTP ${status}.`);
}

/** What the disk says is final, as when it is full. */
function toInterruptedError(error: unknown): never {
  if (error instanceof ModelPullError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new DownloadInterruptedError('the connection was cut', { cause: error });
}
