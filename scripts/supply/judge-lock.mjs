import { matchesName } from './install-scripts.mjs';

const AT_INSTALLATION = ['preinstall', 'install', 'postinstall'];

/**
 * What is wrong with the packages of the lock file: one line each, none when all is well.
 *
 * - No package asks for an install script, outside of the known ones. Installed packages are asked themselves too: what
 *   the lock file says of them can be edited.
 * - Every package has the checksum of its archive. Those for other systems may lack one where the registry that the lock
 *   file was made with did not have them; none of these may be installed.
 * - Every package comes from the registry, by name and version.
 *
 * @param {import('./lock.mjs').LockedPackage[]} packages
 * @param {Map<string, { scripts?: Record<string, string> }>} manifests of installed packages, by path
 * @param {{ name: string, reason: string }[]} known packages whose install scripts are not missed
 * @returns {string[]}
 */
export function judgeLock(packages, manifests, known) {
  const troubles = [];
  const used = new Set();
  for (const each of packages) {
    const spec = `${each.name} ${each.version}`;
    const scripts = manifests.get(each.path)?.scripts ?? {};
    if (each.hasInstallScript || AT_INSTALLATION.some((name) => name in scripts)) {
      const exception = known.find(({ name }) => matchesName(name, each.name));
      if (exception) used.add(exception.name);
      else troubles.push(`${spec} asks for an install script: see docs/adr/0002-no-install-scripts.md`);
    }
    const elsewhere = each.optional && each.bound && !manifests.has(each.path);
    if (!/^sha512-/.test(each.integrity ?? '') && !elsewhere)
      troubles.push(`${spec} has no SHA-512 in package-lock.json: install it anew`);
    if (each.resolved !== undefined)
      troubles.push(`${spec} comes from ${each.resolved}: take it from the registry, by name and version`);
  }
  for (const { name } of known)
    if (!used.has(name)) troubles.push(`${name} is no longer in package-lock.json: strike it from the list`);
  return troubles;
}
