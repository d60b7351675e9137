/**
 * `npm run build:packages`, part of `npm run build`: compiles `packages/client`, bundles `packages/cli`, and packs both into
 * `dist/packages`, from where the API serves them. No other version of them stays there.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPackages } from './lib/packages.mjs';
import { ROOT } from './lib/root.mjs';
import { printProgress, runScript } from './lib/user-facing-error.mjs';

const FOLDER = join(ROOT, 'dist', 'packages');
const PACKED = /^zephyr-(?:client|cli)-.*\.tgz$/;

await runScript(async () => {
  const { version } = JSON.parse(await readFile(`${ROOT}/package.json`, 'utf8'));
  const paths = await buildPackages(FOLDER, version);
  for (const name of await readdir(FOLDER))
    if (PACKED.test(name) && !paths.includes(join(FOLDER, name))) await rm(join(FOLDER, name));
  for (const path of paths) printProgress(path);
  return 0;
});
