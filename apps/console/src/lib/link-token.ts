import { useSyncExternalStore } from 'react';

/** The pages that links lead to. */
const LINK_PAGES = /\/(?:sign-in|set-password|invitation)$/;

let token: string | null = null;
let linkCount = 0;
const listeners = new Set<() => void>();

/** Reads the token after `#` and removes it from the address bar and from the history. Called before the first render. */
export function captureLinkTokenFromUrl(): void {
  const { hash, pathname, search } = globalThis.location;
  if (hash.length < 2) return;
  token = decodeToken(hash.slice(1));
  globalThis.history.replaceState(null, '', `${pathname}${search}`);
}

/** A link that is pasted into the address bar of its own page loads nothing: the page begins again with the new token. */
export function followLinksOfOpenPage(): void {
  globalThis.addEventListener('hashchange', () => {
    if (!LINK_PAGES.test(globalThis.location.pathname) || globalThis.location.hash.length < 2) return;
    captureLinkTokenFromUrl();
    linkCount += 1;
    for (const listener of listeners) listener();
  });
}

/** @returns another number after each link that was pasted into the open page */
export function usePastedLinkCount(): number {
  return useSyncExternalStore(subscribe, () => linkCount);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
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
