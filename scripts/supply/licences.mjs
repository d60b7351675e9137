import satisfies from 'spdx-satisfies';

/** Licences that ask for no more than naming their holders: what the service is linked with has one of these. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Zlib',
];

/** SPDX ids that are allowed, by use. One more here is a decision: say why in the commit. */
export const ALLOWED = {
  /** Packages that the service is linked with. */
  run: PERMISSIVE,
  /** Packages that build and test: a change of a file under MPL would have to be published; data under CC-BY names its authors. */
  build: [...PERMISSIVE, 'MPL-2.0', 'CC-BY-3.0', 'Unlicense'],
  /** Programs that are started beside the service, as the system brings them, and linked with nothing of ours. */
  program: [
    ...PERMISSIVE,
    'Artistic-1.0-Perl',
    'GPL-2.0-or-later',
    'GPL-3.0-or-later',
    'LGPL-2.0-or-later',
    'LGPL-2.1-only',
    'MIT-Festival',
    'NIST-PD',
    'curl',
  ],
  /** Models, as the catalogue names their licences; not every one is known to SPDX. Operators fetch models themselves. */
  model: ['Apache-2.0', 'CC-BY-4.0', 'FunASR Model License 1.1', 'MIT'],
};

/**
 * Returns packages whose licence is unknown, not allowed, or differs between the installed package and the lock file.
 *
 * @param {import('./lock.mjs').LockedPackage[]} packages
 * @param {Map<string, { license?: unknown }>} manifests of installed packages, by path
 * @returns {string[]} one line each
 */
export function findPackageProblems(packages, manifests) {
  return packages.flatMap(({ path, name, version, dev, licence }) => {
    const installed = manifests.get(path)?.license;
    if (installed !== undefined && installed !== licence)
      return [
        `${name} ${version}: ${JSON.stringify(installed)} in the package, ${licence} in package-lock.json`,
      ];
    return findLicenceProblems([{ name: `${name} ${version}`, licence }], dev ? ALLOWED.build : ALLOWED.run);
  });
}

/**
 * Returns programs and models whose licence is unknown or not allowed.
 *
 * @param {readonly { name: string, licence?: string }[]} works with SPDX expressions, or names that `allowed` has
 * @param {readonly string[]} allowed
 * @returns {string[]} one line each
 */
export function findLicenceProblems(works, allowed) {
  return works.flatMap(({ name, licence }) => {
    if (!licence) return [`${name}: no licence is known`];
    return allowed.includes(licence) || isSatisfied(licence, allowed)
      ? []
      : [`${name}: ${licence} is not on the list`];
  });
}

function isSatisfied(expression, allowed) {
  try {
    return satisfies(expression, allowed);
  } catch {
    // Neither the expression nor a name on the list may be known to SPDX.
    return false;
  }
}
