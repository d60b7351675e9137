let token: string | null = null;

/** Reads the token after `#` and removes it from the address bar and from the history. Called before the first render. */
export function takeLinkToken(): void {
  const { hash, pathname, search } = globalThis.location;
  if (hash.length < 2) return;
  token = decodeURIComponent(hash.slice(1));
  globalThis.history.replaceState(null, '', `${pathname}${search}`);
}

/** The token of the link that opened the page. */
export function getLinkToken(): string | null {
  return token;
}

/** After the token was used. */
export function forgetLinkToken(): void {
  token = null;
}
