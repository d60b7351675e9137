import { setTimeout as wait } from 'node:timers/promises';
import {
  type OpenAiOptions,
  OpenAiRequestError,
  type OpenAiResponse,
  type OutageLikelihood,
} from './openai-client.js';
import { isQuotaExceeded } from './response-errors.js';

const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** The server is busy, starting or briefly unavailable. */
const TRANSIENT_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
/** Statuses that concern all requests, not just this one. */
const UNAVAILABLE_STATUSES = new Set([429, 503]);
/** A proxy answers so while its server is down, and also if a server ends or takes too long over one request. */
const GATEWAY_STATUSES = new Set([502, 504]);
/** Cloudflare and others have statuses of their own from here on. */
const FIRST_GATEWAY_STATUS_OF_PRODUCTS = 520;

/**
 * Retries on `OpenAiRequestError`, unless the server forbids it.
 * @throws the last OpenAiRequestError; other errors of `attempt` at once; the reason of the signal
 */
export async function withRetries<T>(
  { attempts, timeoutSeconds, initialBackoffMs = INITIAL_BACKOFF_MS }: OpenAiOptions,
  signal: AbortSignal,
  attempt: (isLastAttempt: boolean) => Promise<T>,
): Promise<T> {
  let firstOutage: OutageLikelihood | undefined;
  for (let attemptCount = 1; ; attemptCount += 1) {
    try {
      return await attempt(attemptCount >= attempts);
    } catch (error) {
      if (!(error instanceof OpenAiRequestError)) throw error;
      firstOutage ??= error.outage;
      error.firstOutage = firstOutage;
      if (error.retryForbidden || attemptCount >= attempts) throw error;
      const requestedMs = Math.min(error.retryAfterSeconds ?? 0, timeoutSeconds) * 1000;
      await abortableDelay(signal, Math.max(requestedMs, backoffDelayMs(attemptCount, initialBackoffMs)));
    }
  }
}

/** @throws OpenAiRequestError when the response indicates a temporary problem */
export function throwIfTransient(response: OpenAiResponse): void {
  const { status, retryAfter, excerpt, retryForbidden } = response;
  if (isQuotaExceeded(response)) return;
  if (TRANSIENT_STATUSES.has(status) || status > 504)
    throw new OpenAiRequestError(`HTTP ${status}: ${excerpt}`, parseRetryAfterSeconds(retryAfter), {
      outage: findOutageByStatus(status),
      retryForbidden,
    });
}

function findOutageByStatus(status: number): OutageLikelihood {
  if (UNAVAILABLE_STATUSES.has(status)) return 'certain';
  return GATEWAY_STATUSES.has(status) || status >= FIRST_GATEWAY_STATUS_OF_PRODUCTS ? 'possible' : 'none';
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
