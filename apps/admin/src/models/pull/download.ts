import { setTimeout as wait } from 'node:timers/promises';
import { EnvHttpProxyAgent, fetch, type Response } from 'undici';
import type { PartialFile } from './partial-file.js';
import { Interrupted, PullFailed, Unreachable } from './pull-failed.js';

const CONNECT_MS = 8_000;
/** Without a byte for so long a connection counts as cut. */
const QUIET_MS = 30_000;
/** Tries in a row in which nothing came. */
const FRUITLESS_TRIES = 5;
const FIRST_DELAY_MS = 1_000;
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
/** What says that there is no way to the server, rather than trouble on it. */
const NO_WAY = new Set([
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
  headersTimeout: QUIET_MS,
  bodyTimeout: QUIET_MS,
});

/**
 * Fetches a file, going on where an earlier try was cut, as long as each brings something.
 * @returns true when it is put together of several answers
 * @throws Unreachable when nothing answers, PullFailed when the answer is final, the reason of the signal
 */
export async function download(options: DownloadOptions): Promise<boolean> {
  const { partial, bytes, signal, url, firstDelayMs = FIRST_DELAY_MS } = options;
  let fruitless = 0;
  let pieced = false;
  while ((await partial.size()) < bytes) {
    const before = await partial.size();
    pieced ||= before > 0;
    try {
      await attempt(options);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Interrupted)) throw error;
      fruitless = (await partial.size()) > before ? 0 : fruitless + 1;
      if (fruitless >= FRUITLESS_TRIES) throw new PullFailed(`${url}: ${error.message}.`, { cause: error });
      await wait(firstDelayMs * 2 ** fruitless, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
  return pieced;
}

/** @throws Interrupted when less than all came */
async function attempt({ url, bytes, partial, signal, progress }: DownloadOptions): Promise<void> {
  const there = await partial.size();
  progress(there);
  const answer = await ask(url, there, await partial.validator(), signal);
  const from = await startOf(answer, there, partial);
  if (from === null) return;
  let size = from;
  progress(size);
  const counted = (count: number) => progress((size += count));
  if (answer.body) await partial.add(answer.body, bytes, counted).catch(asInterruption);
  if (size < bytes) throw new Interrupted(`the connection was cut after ${size} of ${bytes} bytes`);
}

async function ask(
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
    if (code !== undefined && NO_WAY.has(code))
      throw new Unreachable(`Nothing answers at ${new URL(url).origin} (${code}).`, { cause: error });
    throw new Interrupted(code ?? message, { cause: error });
  });
}

/** Where in the file the answer begins; null when it is to be asked anew. */
async function startOf(answer: Response, there: number, partial: PartialFile): Promise<number | null> {
  const { status, headers, url } = answer;
  if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${there}-`)) return there;
  if (status === 200) {
    await partial.begin(headers.get('etag') ?? headers.get('last-modified'));
    return 0;
  }
  await answer.body?.cancel();
  if (there > 0 && (status === 206 || status === 416)) {
    // It has another file than the one that was begun.
    await partial.discard();
    return null;
  }
  if (PASSING.has(status)) throw new Interrupted(`it answers HTTP ${status}`);
  throw new PullFailed(`${url} answers HTTP ${status}.`);
}

/** What the disk says is final, as when it is full. */
function asInterruption(error: unknown): never {
  if (error instanceof PullFailed || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new Interrupted('the connection was cut', { cause: error });
}
