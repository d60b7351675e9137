import { Trouble } from './trouble.mjs';

const LOWEST = [20, 19];

/**
 * @param {string} version as in `process.versions.node`
 * @throws Trouble when it is too old to run the service
 */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1])) return;
  throw new Trouble(
    `Node ${LOWEST.join('.')} or newer is needed; this is ${version}. See https://nodejs.org/.`,
  );
}
