/**
 * Part of `npm run check`: subjects of commits are conventional (`type(scope): what it does`). Looks at the commits since
 * the rule came; in a clone without them, at those that are there. `--file PATH` checks one message, for the hook.
 */
import { readFile } from 'node:fs/promises';
import { capture } from './lib/command.mjs';
import { findSubjectProblem } from './lib/commit-subject.mjs';
import { runScript } from './lib/trouble.mjs';

/** The last commit before the rule. */
const BASE = '204a9cd3756e';

await runScript(async () => {
  const [option, path] = process.argv.slice(2);
  if (option === '--file') return report([['message', (await readFile(path, 'utf8')).split('\n')[0]]]);
  const hasBase = (await capture('git', ['merge-base', '--is-ancestor', BASE, 'HEAD'])).code === 0;
  if (!hasBase && (await capture('git', ['rev-parse', '--is-shallow-repository'])).output.trim() !== 'true') {
    console.log(`Skipped: no git history with commit ${BASE} here.`);
    return 0;
  }
  const range = hasBase ? [`${BASE}..HEAD`] : ['HEAD', '--max-count=1'];
  const { code, output } = await capture('git', ['log', '--no-merges', '--format=%h%x09%s', ...range]);
  if (code !== 0) throw new Error(output);
  const lines = output.split('\n').filter((line) => line !== '');
  return report(lines.map((line) => line.split('\t', 2)));
});

/** @param {string[][]} commits name and subject */
function report(commits) {
  const problems = commits.flatMap(([name, subject]) => {
    const problem = findSubjectProblem(subject);
    return problem === undefined ? [] : [`${name} “${subject}”: ${problem}`];
  });
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
}
