/**
 * `npm run sbom -- FILE`: the software bill of materials as CycloneDX (JSON), of packages, programs of the system and
 * Node. Without FILE it goes to standard output (`npm run --silent sbom`).
 */
import { writeFile } from 'node:fs/promises';
import { runScript, printProgress } from './lib/user-facing-error.mjs';
import { buildSbom, nodeComponent, systemComponents } from './supply/sbom.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST } from './supply/programs.mjs';

await runScript(async () => {
  const [path] = process.argv.slice(2);
  const bill = await buildSbom([
    nodeComponent(),
    ...(await systemComponents(PROGRAMS_TO_RUN, 'required')),
    ...(await systemComponents(PROGRAMS_TO_TEST, 'optional')),
  ]);
  const text = `${JSON.stringify(bill, null, 2)}\n`;
  if (path === undefined) process.stdout.write(text);
  else {
    await writeFile(path, text);
    printProgress(`${bill.components.length} components in ${path}.`);
  }
  return 0;
});
