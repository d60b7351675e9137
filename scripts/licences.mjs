/**
 * `npm run licences`: every package, program and model has a licence that is on the list (`supply/licence-policy.mjs`).
 * The table of them, docs/licences.md, is written by `npm run docs:generate`.
 */
import { prepare } from './lib/prepare.mjs';
import { runScript } from './lib/trouble.mjs';
import { readCatalogue } from './supply/catalogue.mjs';
import { judgeModels, judgePackages, judgePrograms } from './supply/licences.mjs';
import { readInstalledManifests, readLockedPackages } from './supply/lock.mjs';
import { PROGRAMS_TO_RUN, PROGRAMS_TO_TEST } from './supply/programs.mjs';

await runScript(async () => {
  await prepare({ system: false });
  const packages = await readLockedPackages();
  const programs = [...PROGRAMS_TO_RUN, ...PROGRAMS_TO_TEST];
  const models = await readCatalogue();
  const troubles = [
    ...judgePackages(packages, await readInstalledManifests(packages)),
    ...judgePrograms(programs),
    ...judgeModels(models),
  ];
  for (const trouble of troubles) console.log(trouble);
  if (troubles.length > 0) return 1;
  console.log(
    `${packages.length} packages, ${programs.length} programs, ${models.length} models: all on the list.`,
  );
  return 0;
});
