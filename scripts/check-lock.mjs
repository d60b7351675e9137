/** Part of `npm run check`: no install scripts, a checksum for every package, nothing from outside of the registry. */
import { runScript } from './lib/trouble.mjs';
import { KNOWN_INSTALL_SCRIPTS } from './supply/install-scripts.mjs';
import { judgeLock } from './supply/judge-lock.mjs';
import { readInstalledManifests, readLockedPackages } from './supply/lock.mjs';

await runScript(async () => {
  const packages = await readLockedPackages();
  const troubles = judgeLock(packages, await readInstalledManifests(packages), KNOWN_INSTALL_SCRIPTS);
  for (const trouble of troubles) console.log(trouble);
  return troubles.length === 0 ? 0 : 1;
});
