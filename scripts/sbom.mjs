/**
 * `npm run sbom -- FILE`: writes the software bill of materials of packages, system programs and Node as CycloneDX JSON.
 * Without FILE it is printed (`npm run --silent sbom`).
 */
import { writeFile } from 'node:fs/promises';
import { runScript, printProgress } from './lib/user-facing-error.mjs';
import { buildSbom, buildNodeComponent, buildSystemComponents } from './supply/sbom.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST } from './supply/programs.mjs';

await runScript(async () => {
  const [path] = process.argv.slice(2);
  const sbom = await buildSbom([
    buildNodeComponent(),
    ...(await buildSystemComponents(PROGRAMS_TO_RUN, 'required')),
    ...(await buildSystemComponents(PROGRAMS_TO_TEST, 'optional')),
  ]);
  const text = `${JSON.stringify(sbom, null, 2)}\n`;
  if (path === undefined) process.stdout.write(text);
  else {
    await writeFile(path, text);
    printProgress(`${sbom.components.length} components in ${path}.`);
  }
  return 0;
});
