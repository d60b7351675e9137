import { setTimeout as wait } from 'node:timers/promises';
import { type OpenAiOptions, OpenAiRequestError, type OpenAiResponse } from './openai-client.js';
import { isQuotaExceeded } from './response-errors.js';

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** What another try may change: the server is busy, starting, or not there for a moment. */
const TRANSIENT_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** What says so of the server, not of what it was sent. */
const UNAVAILABLE_STATUSES = new Set([429, 503]);

/**
 * Tries until something comes of it.
 * @throws OpenAiRequestError of the last try; what else `attempt` throws, at once; the reason of the signal
 */
export async function withRetries<T>(
  { attempts, timeoutSeconds, initialBackoffMs: firstDelayMs = INITIAL_BACKOFF_MS }: OpenAiOptions,
  signal: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OpenAiRequestError) || tried >= attempts) throw error;
      const asked = Math.min(error.retryAfterSeconds ?? 0, timeoutSeconds) * 1000;
      await abortableDelay(signal, Math.max(asked, backoffDelayMs(tried, firstDelayMs)));
    }
  }
}

/** @throws OpenAiRequestError when the answer says that it may be another one later */
export function throwIfTransient(answer: OpenAiResponse): void {
  const { status, retryAfter, excerpt } = answer;
  if (answer.retryForbidden || isQuotaExceeded(answer)) return;
  if (TRANSIENT_STATUSES.has(status) || status > 504)
    throw new OpenAiRequestError(
      `HTTP ${status}: ${excerpt}`,
      parseRetryAfter(retryAfter),
      {},
      UNAVAILABLE_STATUSES.has(status),
    );
}

/** Seconds of a `Retry-After`, which tells seconds or a date; null when it tells neither. */
export function parseRetryAfter(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const moment = Date.parse(retryAfter);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - Date.now()) / 1000);
}

/** Doubled each time, and up to a half more by chance, so that chunks that failed together part. */
function backoffDelayMs(tried: number, firstDelayMs: number): number {
  return Math.min(firstDelayMs * 2 ** (tried - 1), MAX_BACKOFF_MS) * (1 + Math.random() / 2);
}

async function abortableDelay(signal: AbortSignal, ms: number): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
