/**
 * The name by which people know the recording at an address: the last part of the path, or the host. Never what follows
 * `?`, which may be a secret.
 *
 * @returns null if it is no URL
 */
export function parseFileNameFromUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { pathname, hostname } = new URL(text);
  const name = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name) || hostname;
  } catch {
    return name;
  }
}
