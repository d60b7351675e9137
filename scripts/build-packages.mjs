/**
 * `npm run build:packages`: compiles `packages/client`, bundles `packages/cli`, and packs both into `dist/packages`.
 */
import { readFile } from 'node:fs/promises';
import { buildPackages } from './lib/packages.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { ROOT } from './lib/root.mjs';
import { printProgress, runScript } from './lib/user-facing-error.mjs';

await runScript(async () => {
  await prepareCheckout({ system: false, build: false });
  const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  for (const path of await buildPackages(`${ROOT}/dist/packages`, version)) printProgress(path);
  return 0;
});
