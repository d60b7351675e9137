/** Returns a path of the console, or null for an address that leads anywhere else. */
export function parseSafeReturnPath(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\w\-/?=&.%~]*$/.test(value)) return null;
  return /^\/(?:sign-in|set-password|forgot-password|invitation)\b/.test(value) ? null : value;
}
