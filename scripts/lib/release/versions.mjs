import { UserFacingError } from '../user-facing-error.mjs';

/** Files with the version that a reader installs. */
export const VERSIONED_FILES = [
  'deploy/kubernetes/base/kustomization.yaml',
  'docs/operating/deployment.md',
  'docs/operating/kubernetes.md',
];
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * @param {string} json package.json, or package-lock.json, which contains the version twice
 * @param {string} version
 * @returns {string}
 * @throws UserFacingError if the version is not later
 */
export function setVersion(json, version) {
  const manifest = JSON.parse(json);
  if (!isLater(version, manifest.version))
    throw new UserFacingError(`${version} is not a version after ${manifest.version}; write it like 1.2.3.`);
  manifest.version = version;
  if (manifest.packages) manifest.packages[''].version = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/**
 * @param {string} text @param {string} current @param {string} version
 * @returns {string} with the version instead of the current one
 * @throws UserFacingError if the text does not mention the current one
 */
export function replaceVersion(text, current, version) {
  const mention = new RegExp(`(?<![\\d.])${current.replaceAll('.', '\\.')}(?!\\d)`, 'g');
  if (!mention.test(text)) throw new UserFacingError(`A file with the version does not mention ${current}.`);
  return text.replaceAll(mention, version);
}

/**
 * @param {string} changelog
 * @param {string} version @param {string} day as YYYY-MM-DD
 * @returns {string} with the unreleased entries under the version, and an empty “Unreleased” section
 * @throws UserFacingError if there are no unreleased entries
 */
export function releaseChangelog(changelog, version, day) {
  const [before, after] = changelog.split('## Unreleased\n');
  const content = after?.split(/^## /m)[0] ?? '';
  if (content.trim() === '') throw new UserFacingError('CHANGELOG.md has nothing under “## Unreleased”.');
  return `${before}## Unreleased\n\n## ${version} (${day})\n${after}`;
}

function isLater(version, current) {
  const next = VERSION.exec(version)?.slice(1).map(Number);
  const last = VERSION.exec(current)?.slice(1).map(Number);
  if (!next || !last) return false;
  const at = next.findIndex((number, index) => number !== last[index]);
  return at >= 0 && next[at] > last[at];
}
