/**
 * `npm run release:build -- DIR`: puts everything that runs the service into a new folder: built programs, production
 * packages, documents, files for process managers and proxies, and `bin/zephyr`. The folder needs Node and the system's
 * programs (docs/operating/deployment.md), no npm and no network; nothing is written into it afterwards.
 */
import { resolve } from 'node:path';
import { prepare } from './lib/prepare.mjs';
import { buildRelease } from './lib/release/build-release.mjs';
import { runScript, say, Trouble } from './lib/trouble.mjs';

await runScript(async () => {
  const [folder, ...rest] = process.argv.slice(2);
  if (!folder || rest.length > 0 || folder.startsWith('-'))
    throw new Trouble('Name one new folder: npm run release:build -- DIR');
  await prepare({ system: false });
  const { version } = await buildRelease(resolve(folder));
  say(`zephyr ${version} is in ${folder}. Try it: ${folder}/bin/zephyr --version`);
  return 0;
});
