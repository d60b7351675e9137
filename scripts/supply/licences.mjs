import satisfies from 'spdx-satisfies';

/** Licences that require attribution at most. */
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

/** Allowed SPDX ids by use. State the reason for an addition in the commit. */
export const ALLOWED = {
  /** Packages that the service is linked with. */
  run: PERMISSIVE,
  /** Packages for build and tests. Changes of MPL files would have to be published; CC-BY data requires attribution. */
  build: [...PERMISSIVE, 'MPL-2.0', 'CC-BY-3.0', 'PSF-2.0', 'Unlicense'],
  /** System programs, which run as separate processes and are not linked with the service. */
  program: [
    ...PERMISSIVE,
    'MIT-Modern-Variant',
    'Artistic-1.0-Perl',
    'BSD-4-Clause-UC',
    'GPL-2.0-or-later',
    'GPL-3.0-or-later',
    'LGPL-2.0-or-later',
    'LGPL-2.1-only',
    'MIT-Festival',
    'NIST-PD',
    'curl',
  ],
  /** Models, by the licence names of the catalogue, some of which SPDX does not list. Operators fetch models themselves. */
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
 * @param {readonly { name: string, licence?: string }[]} works licence: an SPDX expression, or a name in `allowed`
 * @param {readonly string[]} allowed
 * @returns {string[]} one line each
 */
export function findLicenceProblems(works, allowed) {
  return works.flatMap(({ name, licence }) => {
    if (!licence) return [`${name}: no known licence`];
    return allowed.includes(licence) || isSatisfied(licence, allowed)
      ? []
      : [`${name}: ${licence} is not on the list`];
  });
}

function isSatisfied(expression, allowed) {
  try {
    return satisfies(expression, allowed);
  } catch {
    // The expression or a name on the list may be unknown to SPDX.
    return false;
  }
}
