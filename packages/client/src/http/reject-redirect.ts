import { RedirectError } from '../errors.js';

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/**
 * For responses to requests with `redirect: 'manual'`. The API has no redirects.
 * @param baseUrl the URL of the service
 * @throws RedirectError that names the URL of the service there, if its path is the same, or else the whole target
 */
export async function rejectRedirect(response: Response, url: URL, baseUrl: URL): Promise<void> {
  // A browser hides status and headers.
  const isHidden = response.type === 'opaqueredirect';
  if (!isHidden && !REDIRECT_STATUSES.has(response.status)) return;
  await response.body?.cancel();
  throw new RedirectError(url, findTarget(response.headers.get('location'), url, baseUrl));
}

function findTarget(location: string | null, url: URL, baseUrl: URL): string | undefined {
  if (location === null || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  const path = url.pathname.slice(baseUrl.pathname.length - 1);
  const target = pathname.endsWith(path) ? pathname.slice(0, -path.length) : pathname;
  return `${origin}${target}`;
}
