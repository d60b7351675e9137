import { posix } from 'node:path';

/** URL of the first page, without the prefix that a proxy may add. */
export const SITE_ROOT = '/docs/guide';

/** @param {string} path of a page, `''` for the first one @returns {string} its URL, from the root of the service */
export const pageUrl = (path) => (path === '' ? SITE_ROOT : `${SITE_ROOT}/${path}`);

/**
 * A relative URL, because a proxy may serve the site below a path of its own. It never ends in a slash.
 *
 * @param {string} from @param {string} to URLs from the root of the service
 */
export function relativeUrl(from, to) {
  return posix.join(posix.relative(posix.dirname(from), posix.dirname(to)), posix.basename(to));
}

/**
 * @typedef {{ kind: 'external', href: string }
 *   | { kind: 'service', url: string }
 *   | { kind: 'file', file: string, fragment: string }} LinkTarget
 */

/**
 * What a link of a Markdown file leads to.
 *
 * @param {string} file path in the repository of the file with the link @param {string} href
 * @returns {LinkTarget}
 */
export function resolveLink(file, href) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return { kind: 'external', href };
  if (href.startsWith('/')) return { kind: 'service', url: href };
  const [path = '', fragment = ''] = href.split('#', 2);
  const target = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path));
  if (target.startsWith('..')) throw new Error(`${file}: the link ${href} leaves the repository.`);
  return { kind: 'file', file: target, fragment };
}
