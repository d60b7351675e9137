import { ALLOWED, ALLOWED_FOR_MODELS } from './licence-policy.mjs';
import { canMeet } from './spdx.mjs';

/**
 * The licence of each package. One for another system, of which the lock file knows none, has that of the package that
 * names it among its optional ones.
 *
 * @param {import('./lock.mjs').LockedPackage[]} packages
 * @returns {(import('./lock.mjs').LockedPackage & { licence: string | undefined })[]}
 */
export function withLicences(packages) {
  const ofSystems = new Map(
    packages.flatMap(({ license, optionalNames }) => optionalNames.map((name) => [name, license])),
  );
  return packages.map((each) => ({ ...each, licence: each.license ?? ofSystems.get(each.name) }));
}

/**
 * Packages whose licence is unknown, not allowed, or another one in the installed package than in the lock file.
 *
 * @param {import('./lock.mjs').LockedPackage[]} packages
 * @param {Map<string, { license?: unknown }>} manifests of installed packages, by path
 * @returns {string[]} one line each
 */
export function judgePackages(packages, manifests) {
  return withLicences(packages).flatMap(({ path, name, version, dev, licence }) => {
    const own = manifests.get(path)?.license;
    if (own !== undefined && own !== licence)
      return [`${name} ${version}: ${JSON.stringify(own)} in the package, ${licence} in package-lock.json`];
    return judge(`${name} ${version}`, licence, dev ? ALLOWED.build : ALLOWED.run);
  });
}

/** @param {{ what: string, licence?: string }[]} programs @returns {string[]} */
export function judgePrograms(programs) {
  return programs.flatMap(({ what, licence }) => judge(what, licence, ALLOWED.program));
}

/** @param {readonly { name: string, licence: string }[]} models @returns {string[]} */
export function judgeModels(models) {
  return models
    .filter(({ licence }) => !ALLOWED_FOR_MODELS.has(licence))
    .map(({ name, licence }) => `the model ${name}: ${licence} is not on the list`);
}

function judge(what, licence, allowed) {
  if (!licence) return [`${what}: no licence is known`];
  try {
    return canMeet(licence, allowed) ? [] : [`${what}: ${licence} is not on the list`];
  } catch (error) {
    return [`${what}: ${error.message}`];
  }
}
