/** Of an answer that is for its caller alone: no cache keeps it, and no browser guesses what it is. */
export const NO_STORE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;
