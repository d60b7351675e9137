import { HostUnresolvedOrNotPublicError } from './ssrf-errors.js';
import { OutboundRequestError, toOutboundRequestError } from './outbound-request-error.js';
import { parseRetryAfterSeconds } from './retry-after.js';

export type AudioFetchErrorKind =
  'status' | 'redirects' | 'too_large' | 'too_slow' | 'encoding' | 'blocked' | 'timeout' | 'connection';

interface AudioFetchErrorDetails {
  cause?: unknown;
  /** What the server asked for. */
  retryAfterSeconds?: number | undefined;
}

/** The message becomes the `reason` of the job. */
export class AudioFetchError extends Error {
  override readonly name = 'AudioFetchError';
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly kind: AudioFetchErrorKind,
    why: string,
    /** A later attempt may succeed. */
    readonly retryable: boolean,
    { cause, retryAfterSeconds }: AudioFetchErrorDetails = {},
  ) {
    super(`The audio could not be fetched: ${why}.`, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** As of `OutboundRequestError`. */
  get ownFailure(): string | null {
    return this.cause instanceof OutboundRequestError ? this.cause.ownFailure : null;
  }

  /** @param retryAfter value of the header, if the server sent it */
  static fromStatus(status: number, retryAfter?: unknown): AudioFetchError {
    const retryable = status >= 500 || status === 429 || status === 408;
    const retryAfterSeconds = parseRetryAfterSeconds(retryAfter);
    return new AudioFetchError('status', `the server answered ${status}`, retryable, { retryAfterSeconds });
  }

  static tooLarge(maxBytes: number): AudioFetchError {
    return new AudioFetchError('too_large', `it is larger than ${maxBytes} bytes`, false);
  }

  static tooSlow(minBytesPerSecond: number): AudioFetchError {
    return new AudioFetchError(
      'too_slow',
      `the server sent less than ${minBytesPerSecond} bytes a second`,
      true,
    );
  }

  static fromOutboundError(failure: OutboundRequestError): AudioFetchError {
    const retryable = failure.kind !== 'blocked' || failure.cause instanceof HostUnresolvedOrNotPublicError;
    return new AudioFetchError(failure.kind, failure.message, retryable, { cause: failure });
  }
}

/** @returns the reason of an aborted signal unchanged */
export function toAudioFetchError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof AudioFetchError) return error;
  if (signal?.aborted) return signal.reason;
  return AudioFetchError.fromOutboundError(toOutboundRequestError(error));
}
