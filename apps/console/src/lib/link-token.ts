let token: string | null = null;

/** Reads the token after `#` and removes it from the address bar and from the history. Called before the first render. */
export function captureLinkTokenFromUrl(): void {
  const { hash, pathname, search } = globalThis.location;
  if (hash.length < 2) return;
  token = decodeToken(hash.slice(1));
  globalThis.history.replaceState(null, '', `${pathname}${search}`);
}

/** The token of the link that opened the page. */
export function getLinkToken(): string | null {
  return token;
}

/** For a page that is opened again after a sign-in. */
export function setLinkToken(value: string): void {
  token = value;
}

/** After the token was used. */
export function forgetLinkToken(): void {
  token = null;
}

/** A link that a mail program has damaged has a token that is rejected, like one that was used. */
function decodeToken(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
