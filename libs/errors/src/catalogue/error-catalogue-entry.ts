/**
 * - `no`: the same request would fail again
 * - `retry-after`: after the seconds in the header `Retry-After`
 * - `backoff`: after 1, 2, 4, … seconds, a few times; a create only with its `Idempotency-Key`
 */
export type RetryAdvice = 'no' | 'retry-after' | 'backoff';

export interface ErrorCatalogueEntry {
  status: number;
  /** A sentence that holds for every error with this code. */
  title: string;
  when: string;
  remedy: string;
  retry: RetryAdvice;
  /** Set if only these routes return it. */
  onlyRoutes?: '/v1' | '/console/api';
}
