import { setLinkToken } from './link-token.ts';
import { parseSafeReturnPath } from './return-path.ts';

const STORAGE_KEY = 'after-sign-in';
/** As long as a sign-in at a provider may take. */
const LIFETIME_MS = 10 * 60_000;
const INVITATION_PATH = '/invitation';

interface Continuation {
  path: string;
  linkToken: string | null;
  savedAt: number;
}

let isContinued = false;

/** Stores, in this tab, the page to show after a sign-in that leaves the page, and the token of its link. */
export function savePathAndLinkTokenForSignIn(path: string, linkToken: string | null = null): void {
  const continuation: Continuation = { path, linkToken, savedAt: Date.now() };
  globalThis.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(continuation));
}

/** The token of an invitation whose page waits for the sign-in; null if none does. */
export function getSavedInvitationToken(): string | null {
  const continuation = readContinuation();
  return continuation?.path === INVITATION_PATH ? continuation.linkToken : null;
}

/** Reads what was stored, once, and gives the page its token back. @returns the path, or null */
export function takeSavedPathAndRestoreLinkToken(): string | null {
  const continuation = readContinuation();
  globalThis.sessionStorage.removeItem(STORAGE_KEY);
  if (!continuation) return null;
  if (continuation.linkToken !== null) setLinkToken(continuation.linkToken);
  isContinued = true;
  return continuation.path;
}

/** Opens the stored page when the provider has sent the browser back to the start page. Called before the first render. */
export function restorePathAfterProviderSignIn(): void {
  const base = new URL(document.baseURI).pathname;
  if (globalThis.location.pathname !== base) return;
  const path = takeSavedPathAndRestoreLinkToken();
  if (path !== null) globalThis.history.replaceState(null, '', `${base}${path.slice(1)}`);
}

/** Whether a stored page was opened, which may have been completed by the sign-in itself. */
export function wasSavedPathReopened(): boolean {
  return isContinued;
}

/** Null if nothing was stored, or too long ago. */
function readContinuation(): Continuation | null {
  const stored = globalThis.sessionStorage.getItem(STORAGE_KEY);
  const continuation = stored === null ? null : parseContinuation(stored);
  return continuation && Date.now() - continuation.savedAt <= LIFETIME_MS ? continuation : null;
}

function parseContinuation(text: string): Continuation | null {
  try {
    const { path, linkToken, savedAt } = JSON.parse(text) as Record<string, unknown>;
    const isOwnPath = path === INVITATION_PATH || parseSafeReturnPath(path) !== null;
    if (!isOwnPath || typeof path !== 'string' || typeof savedAt !== 'number') return null;
    return { path, linkToken: typeof linkToken === 'string' ? linkToken : null, savedAt };
  } catch {
    return null;
  }
}
