import { NameRefused } from './address-refused.js';
import { type OutboundFailure, toOutboundFailure } from './outbound-failure.js';

export type FetchFailedKind =
  'status' | 'redirects' | 'too_large' | 'encoding' | 'refused' | 'timeout' | 'connection';

/** The audio behind an address did not come. The message is the job's `reason`. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';

  constructor(
    readonly kind: FetchFailedKind,
    why: string,
    /** Trying again later may work. */
    readonly retryable: boolean,
    cause?: unknown,
  ) {
    super(`The audio could not be fetched: ${why}.`, { cause });
  }

  static byStatus(status: number): FetchFailed {
    const retryable = status >= 500 || status === 429 || status === 408;
    return new FetchFailed('status', `the server answered ${status}`, retryable);
  }

  static tooLarge(maxBytes: number): FetchFailed {
    return new FetchFailed('too_large', `it is larger than ${maxBytes} bytes`, false);
  }

  static by(failure: OutboundFailure): FetchFailed {
    const retryable = failure.kind !== 'refused' || failure.cause instanceof NameRefused;
    return new FetchFailed(failure.kind, failure.message, retryable, failure);
  }
}

/** The caller's own abort stays what it is; everything else becomes a reason. */
export function toFetchFailed(error: unknown, signal: AbortSignal | undefined): unknown {
  if (error instanceof FetchFailed) return error;
  if (signal?.aborted) return signal.reason;
  return FetchFailed.by(toOutboundFailure(error));
}
