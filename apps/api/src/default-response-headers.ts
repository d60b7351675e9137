/** Headers of every response unless its route overrides them: no caching, no MIME sniffing. */
export const DEFAULT_RESPONSE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;
