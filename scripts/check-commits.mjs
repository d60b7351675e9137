/**
 * Part of `npm run check`: subjects of commits are conventional (`type(scope): what it does`). Checks the commits after the
 * one that added this file. `--file PATH` checks one message, for the hook.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { runCaptured } from './lib/command.mjs';
import { findSubjectProblem } from './lib/commit-subject.mjs';
import { runScript } from './lib/user-facing-error.mjs';

const THIS_FILE = 'scripts/check-commits.mjs';
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const execFileAsync = promisify(execFile);

await runScript(async () => {
  const [option, path] = process.argv.slice(2);
  if (option === '--file')
    return reportProblems([['message', (await readFile(path, 'utf8')).split('\n')[0]]]);
  const creation = await runCaptured('git', ['log', '--diff-filter=A', '--format=%H', '--', THIS_FILE]);
  const base = creation.code === 0 ? creation.output.trim().split('\n').at(-1) : '';
  if (!base) {
    console.log(`Skipped: no git history with ${THIS_FILE} here.`);
    return 0;
  }
  const parameters = ['log', '--no-merges', '--format=%h%x09%s', `${base}..HEAD`];
  // All of it: `runCaptured` returns only the end of a long output.
  const { stdout } = await execFileAsync('git', parameters, { maxBuffer: MAX_LOG_BYTES });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return reportProblems(lines.map((line) => line.split('\t', 2)));
});

/** @param {string[][]} commits name and subject */
function reportProblems(commits) {
  const problems = commits.flatMap(([name, subject]) => {
    const problem = findSubjectProblem(subject);
    return problem === undefined ? [] : [`${name} “${subject}”: ${problem}`];
  });
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
}
