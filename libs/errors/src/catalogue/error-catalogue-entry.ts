/**
 * Whether the same request may be sent again, unchanged.
 * - `no`: it would be refused again
 * - `retry-after`: after the seconds that the header `Retry-After` gives
 * - `backoff`: after 1, 2, 4, … seconds, a few times; a create with its `Idempotency-Key` only
 */
export type RetryAdvice = 'no' | 'retry-after' | 'backoff';

export interface ErrorCatalogueEntry {
  /** HTTP status. */
  status: number;
  /** The sentence that is true of every error with this code; `detail` says what happened this time. */
  title: string;
  /** When it is answered. */
  when: string;
  /** What the caller does about it. */
  remedy: string;
  retry: RetryAdvice;
  /** The only routes that answer it, where it is not a problem of the interface itself. */
  onlyRoutes?: '/v1';
}
