/**
 * `npm run audit`: holes that are known in the packages that the service runs with. Exceptions, each with a reason and
 * a last day, are in `supply/audit-exceptions.json`. Without a registry that answers it says so and is no failure.
 */
import { readFile } from 'node:fs/promises';
import { ROOT } from './lib/root.mjs';
import { runScript } from './lib/trouble.mjs';
import { askAdvisories } from './supply/ask-advisories.mjs';
import { judgeAdvisories, judgeExceptions } from './supply/judge-audit.mjs';

await runScript(async () => {
  const exceptions = JSON.parse(await readFile(`${ROOT}/scripts/supply/audit-exceptions.json`, 'utf8'));
  const troubles = judgeExceptions(exceptions, new Date().toISOString().slice(0, 10));
  const { advisories, unreachable } = await askAdvisories();
  if (advisories) troubles.push(...judgeAdvisories(advisories, exceptions));
  for (const trouble of troubles) console.log(trouble);
  if (troubles.length > 0) return 1;
  if (unreachable) console.log(`Skipped: nothing was asked about the packages; ${unreachable}.`);
  else console.log(`${advisories.length} advisories, ${exceptions.length} exceptions.`);
  return 0;
});
