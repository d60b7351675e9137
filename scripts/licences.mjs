/**
 * `npm run licences`: every package, program and model has a licence that is on the list (`supply/licences.mjs`).
 * The table of them, docs/licences.md, is written by `npm run docs:generate`.
 */
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/trouble.mjs';
import { ALLOWED, findLicenceProblems, findPackageProblems } from './supply/licences.mjs';
import { readInstalledManifests, readLockedPackages } from './supply/lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST, readModels } from './supply/programs.mjs';

await runScript(async () => {
  await prepare({ system: false });
  const packages = await readLockedPackages();
  const problems = [
    ...findPackageProblems(packages, await readInstalledManifests(packages)),
    ...findLicenceProblems([...PROGRAMS_TO_RUN, ...PROGRAMS_TO_TEST], ALLOWED.program),
    ...findLicenceProblems(await readModels(), ALLOWED.model),
  ];
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
});
