/** Headers of private responses: no caching, no MIME sniffing. */
export const NO_STORE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
