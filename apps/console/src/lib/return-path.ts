/** A site that does not exist: tells paths that URLs resolve to other ones, such as `/..//host`. */
const ANY_SITE = 'https://console.invalid';

/** Returns a path of the console, or null for a URL that leads anywhere else. */
export function parseSafeReturnPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\w\-/=&.%~]*(?:\?[\w\-/?=&.%~+*]*)?$/.test(value))
    return null;
  const { href, pathname } = new URL(value, ANY_SITE);
  if (href !== `${ANY_SITE}${value}` || pathname.includes('//')) return null;
  return /^\/(?:sign-in|set-password|forgot-password|invitation)\b/.test(value) ? null : value;
}
