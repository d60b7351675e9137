/**
 * `npm run licences`: checks that every package, program and model has an allowed licence (`supply/licences.mjs`).
 * `npm run docs:generate` writes docs/licences.md.
 */
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { runScript } from './lib/user-facing-error.mjs';
import { ALLOWED, findLicenceProblems, findPackageProblems } from './supply/licences.mjs';
import { readInstalledManifests, readLockedPackages } from './supply/lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST, readModels } from './supply/programs.mjs';

await runScript(async () => {
  await prepareCheckout({ system: false });
  const packages = await readLockedPackages();
  const problems = [
    ...findPackageProblems(packages, await readInstalledManifests(packages)),
    ...findLicenceProblems([...PROGRAMS_TO_RUN, ...PROGRAMS_TO_TEST], ALLOWED.program),
    ...findLicenceProblems(await readModels(), ALLOWED.model),
  ];
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
});
