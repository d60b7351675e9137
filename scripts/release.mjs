/**
 * `npm run release:build -- DIR`: copies everything that runs the service into a new folder: built programs, production
 * packages, documents, files for process managers and proxies, and `bin/zephyr`. The folder needs Node and the system
 * programs (docs/operating/deployment.md), but neither npm nor network, and is read-only at run time.
 */
import { resolve } from 'node:path';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { buildRelease } from './lib/release/build-release.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';

await runScript(async () => {
  const [folder, ...rest] = process.argv.slice(2);
  if (!folder || rest.length > 0 || folder.startsWith('-'))
    throw new UserFacingError('Name one new folder: npm run release:build -- DIR');
  const { version } = await prepareCheckout({ system: false }, () => buildRelease(resolve(folder)));
  printProgress(`zephyr ${version} is in ${folder}. Try it: ${folder}/bin/zephyr --version`);
  return 0;
});
