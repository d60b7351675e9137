import { UserFacingError } from './user-facing-error.mjs';

const MIN_VERSION = [20, 19];

/**
 * @param {string} version as in `process.versions.node`
 * @throws UserFacingError when it is too old to run the service
 */
export function assertNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])) return;
  throw new UserFacingError(
    `Node ${MIN_VERSION.join('.')} or newer is needed; this is ${version}. See https://nodejs.org/.`,
  );
}
