import { setTimeout as wait } from 'node:timers/promises';
import { type OpenAiOptions, OpenAiRequestError, type OpenAiResponse } from './openai-client.js';
import { isQuotaExceeded } from './response-errors.js';

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** The server is busy, starting or briefly unavailable. */
const TRANSIENT_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** Statuses that concern all requests, not just this one. */
const UNAVAILABLE_STATUSES = new Set([429, 503]);

/**
 * Retries on `OpenAiRequestError`.
 * @throws the last OpenAiRequestError; other errors of `attempt` at once; the reason of the signal
 */
export async function withRetries<T>(
  { attempts, timeoutSeconds, initialBackoffMs = INITIAL_BACKOFF_MS }: OpenAiOptions,
  signal: AbortSignal,
  attempt: (isLastAttempt: boolean) => Promise<T>,
): Promise<T> {
  for (let attemptCount = 1; ; attemptCount += 1) {
    try {
      return await attempt(attemptCount >= attempts);
    } catch (error) {
      if (!(error instanceof OpenAiRequestError) || attemptCount >= attempts) throw error;
      const requestedMs = Math.min(error.retryAfterSeconds ?? 0, timeoutSeconds) * 1000;
      await abortableDelay(signal, Math.max(requestedMs, backoffDelayMs(attemptCount, initialBackoffMs)));
    }
  }
}

/** @throws OpenAiRequestError when the response indicates a temporary problem */
export function throwIfTransient(response: OpenAiResponse): void {
  const { status, retryAfter, excerpt } = response;
  if (response.retryForbidden || isQuotaExceeded(response)) return;
  if (TRANSIENT_STATUSES.has(status) || status > 504)
    throw new OpenAiRequestError(
      `HTTP ${status}: ${excerpt}`,
      parseRetryAfterSeconds(retryAfter),
      {},
      UNAVAILABLE_STATUSES.has(status),
    );
}

/** The header holds seconds or a date; null if invalid. */
export function parseRetryAfterSeconds(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const moment = Date.parse(retryAfter);
  return Number.isNaN(moment) ? null : Math.max(0, (moment - Date.now()) / 1000);
}

/** Exponential, with up to 50 % jitter so that chunks that failed together do not retry together. */
function backoffDelayMs(attemptCount: number, initialBackoffMs: number): number {
  return Math.min(initialBackoffMs * 2 ** (attemptCount - 1), MAX_BACKOFF_MS) * (1 + Math.random() / 2);
}

async function abortableDelay(signal: AbortSignal, ms: number): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
