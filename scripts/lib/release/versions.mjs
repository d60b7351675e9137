import { UserFacingError } from '../user-facing-error.mjs';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * @param {string} json package.json, or package-lock.json, which has the version twice
 * @param {string} version that follows the one in it
 * @returns {string}
 * @throws UserFacingError when it is not a later version
 */
export function setVersion(json, version) {
  const manifest = JSON.parse(json);
  if (!isLater(version, manifest.version))
    throw new UserFacingError(`${version} is no version after ${manifest.version}, such as 1.2.3.`);
  manifest.version = version;
  if (manifest.packages) manifest.packages[''].version = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * @param {string} changelog
 * @param {string} version @param {string} day as YYYY-MM-DD
 * @returns {string} with what was unreleased under the version, and an empty part for what comes next
 * @throws UserFacingError when there is nothing to release
 */
export function releaseChangelog(changelog, version, day) {
  const [before, after] = changelog.split('## Unreleased\n');
  const content = after?.split(/^## /m)[0] ?? '';
  if (content.trim() === '') throw new UserFacingError('CHANGELOG.md has nothing under “## Unreleased”.');
  return `${before}## Unreleased\n\n## ${version} (${day})\n${after}`;
}

function isLater(version, than) {
  const next = VERSION.exec(version)?.slice(1).map(Number);
  const last = VERSION.exec(than)?.slice(1).map(Number);
  if (!next || !last) return false;
  const at = next.findIndex((number, index) => number !== last[index]);
  return at >= 0 && next[at] > last[at];
}
