const DELAY_PATTERN = /^\d{1,9}$/;

/**
 * @param header value of `Retry-After`: seconds, or a date
 * @returns seconds from now; undefined unless it names a later time
 */
export function parseRetryAfterSeconds(header: unknown): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const seconds = DELAY_PATTERN.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}
