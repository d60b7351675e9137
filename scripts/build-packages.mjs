/**
 * `npm run build:packages`: compiles `packages/client`, bundles `packages/cli`, and packs both into `dist/packages`,
 * or into the folder that is given. No other version of them stays there.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildPackages } from './lib/packages.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { ROOT } from './lib/root.mjs';
import { printProgress, runScript } from './lib/user-facing-error.mjs';

const PACKED = /^zephyr-(?:client|cli)-.*\.tgz$/;

await runScript(async () => {
  await prepareCheckout({ system: false, build: false });
  const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist', 'packages'));
  const paths = await buildPackages(folder, version);
  // A pattern such as `zephyr-client-*.tgz` shall match one file.
  for (const name of await readdir(folder))
    if (PACKED.test(name) && !paths.includes(join(folder, name))) await rm(join(folder, name));
  for (const path of paths) printProgress(path);
  return 0;
});
