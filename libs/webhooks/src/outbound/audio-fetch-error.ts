import { HostNotPublicError } from './ssrf-blocked-error.js';
import { type OutboundRequestError, toOutboundRequestError } from './outbound-request-error.js';

export type AudioFetchErrorKind =
  'status' | 'redirects' | 'too_large' | 'encoding' | 'refused' | 'timeout' | 'connection';

/** The audio behind an address did not come. The message is the job's `reason`. */
export class AudioFetchError extends Error {
  override readonly name = 'AudioFetchError';

  constructor(
    readonly kind: AudioFetchErrorKind,
    why: string,
    /** Trying again later may work. */
    readonly retryable: boolean,
    cause?: unknown,
  ) {
    super(`The audio could not be fetched: ${why}.`, { cause });
  }

  static fromStatus(status: number): AudioFetchError {
    const retryable = status >= 500 || status === 429 || status === 408;
    return new AudioFetchError('status', `the server answered ${status}`, retryable);
  }

  static tooLarge(maxBytes: number): AudioFetchError {
    return new AudioFetchError('too_large', `it is larger than ${maxBytes} bytes`, false);
  }

  static fromOutboundError(failure: OutboundRequestError): AudioFetchError {
    const retryable = failure.kind !== 'refused' || failure.cause instanceof HostNotPublicError;
    return new AudioFetchError(failure.kind, failure.message, retryable, failure);
  }
}

/** The caller's own abort stays what it is; everything else becomes a reason. */
export function toAudioFetchError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof AudioFetchError) return error;
  if (signal?.aborted) return signal.reason;
  return AudioFetchError.fromOutboundError(toOutboundRequestError(error));
}
