/** Part of `npm run check`, beside lockfile-lint: no unknown install scripts, a checksum for every installed package. */
import { runScript } from './lib/user-facing-error.mjs';
import {
  findLockProblems,
  KNOWN_INSTALL_SCRIPTS,
  readInstalledManifests,
  readLockedPackages,
} from './supply/lock.mjs';

await runScript(async () => {
  const packages = await readLockedPackages();
  const problems = findLockProblems(packages, await readInstalledManifests(packages), KNOWN_INSTALL_SCRIPTS);
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
});
