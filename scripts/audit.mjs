/**
 * `npm run audit`: known vulnerabilities of production packages. `supply/audit-exceptions.json` lists exceptions with a
 * reason and a last day. A registry without audit counts as skipped.
 */
import { readFile } from 'node:fs/promises';
import { ROOT } from './lib/root.mjs';
import { runScript } from './lib/user-facing-error.mjs';
import { fetchAdvisories, findAuditProblems, findExceptionProblems } from './supply/advisories.mjs';

await runScript(async () => {
  const exceptions = JSON.parse(await readFile(`${ROOT}/scripts/supply/audit-exceptions.json`, 'utf8'));
  const problems = findExceptionProblems(exceptions, new Date().toISOString().slice(0, 10));
  const { advisories, unreachable } = await fetchAdvisories();
  if (advisories) problems.push(...findAuditProblems(advisories, exceptions));
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) return 1;
  if (unreachable) console.log(`Skipped: no audit of the packages; ${unreachable}.`);
  else console.log(`${advisories.length} advisories, ${exceptions.length} exceptions.`);
  return 0;
});
