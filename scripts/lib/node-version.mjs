import { UserFacingError } from './user-facing-error.mjs';

const LOWEST = [20, 19];

/**
 * @param {string} version as in `process.versions.node`
 * @throws UserFacingError when it is too old to run the service
 */
export function assertNodeVersion(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1])) return;
  throw new UserFacingError(
    `Node ${LOWEST.join('.')} or newer is needed; this is ${version}. See https://nodejs.org/.`,
  );
}
