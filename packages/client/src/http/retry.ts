import { ApiError, ConnectionError } from '../errors.js';
import { isServerWithoutTlsError } from './describe-connection-failure.js';
import { pause } from './pause.js';

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** A longer `Retry-After` is the caller's to wait for. */
const MAX_RETRY_AFTER_SECONDS = 120;
/** Codes of Node for a certificate that is expired, for another host, or of an unknown issuer. */
const CERTIFICATE_ERROR_CODE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** S3 waited too long for the bytes of a request; its status is 400. */
const STORE_REQUEST_TIMEOUT = 'RequestTimeout';

export interface RetryOptions {
  maxRetries: number;
  signal?: AbortSignal | undefined;
  /** Between 0 and 1. */
  random?: () => number;
}

/**
 * Runs the attempt until it succeeds, fails for good, or has failed `maxRetries` times more than once.
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let failures = 0; ; failures++) {
    options.signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (failures >= options.maxRetries || !isRetryable(error)) throw error;
      await pause(getRetryDelayMs(failures, error, options.random), options.signal);
    }
  }
}

export function isRetryable(error: unknown): boolean {
  if (error instanceof ConnectionError) return !isTlsError(error.cause);
  if (!(error instanceof ApiError)) return false;
  if ((error.retryAfterSeconds ?? 0) > MAX_RETRY_AFTER_SECONDS) return false;
  return (
    RETRIED_STATUSES.has(error.status) ||
    error.code === 'idempotency_key_in_use' ||
    error.storeCode === STORE_REQUEST_TIMEOUT
  );
}

/** `fetch` of Node has the error of the connection in the cause of its own. */
function isTlsError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isCertificateError = typeof code === 'string' && CERTIFICATE_ERROR_CODE.test(code);
  return isCertificateError || isServerWithoutTlsError(error) || isTlsError(error.cause);
}

/**
 * Callers that were refused together must not come back together, so a part of the delay is random.
 * @param failures before this one
 */
export function getRetryDelayMs(
  failures: number,
  error: unknown,
  random: () => number = Math.random,
): number {
  const growing = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures) * (0.5 + 0.5 * random());
  const retryAfter = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (retryAfter === undefined) return growing;
  return Math.max(growing, retryAfter * 1000 * (1 + 0.2 * random()) + FIRST_DELAY_MS * random());
}
