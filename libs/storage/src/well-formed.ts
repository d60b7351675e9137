/** The text as UTF-8 can carry it: half a surrogate pair becomes U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
