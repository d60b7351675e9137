import { basename } from 'node:path';
import { SECTIONS } from './list.mjs';

const INTRODUCTION = `# Mutation tests for protections

Each row is a condition in the code that protects something, a mutation that removes it, and the test that must fail then.
\`npm run protections\` applies the mutations one at a time to a copy of the project, and fails unless the named test fails
with the mutation and passes without it. \`npm run protections -- TEXT\` tries the rows that contain the text, \`--rings unit\`
those whose test is in that suite. \`--quick\` applies several mutations at a time if they share neither files nor tests.
\`npm run check\` verifies that every condition and every test still exists.

On 21 November 2026 each of the 248 rows of that day was tried, suite by suite and not in one run, on a busy machine: every
mutation was detected, some of them on slightly older code. The 92 rows of the unit suite took three minutes, each
other row 4 to 20 seconds when the machine was not overloaded.

Written by \`npm run docs:generate\` from the lists in \`scripts/protections\`: add new protections there.`;

/** @returns {string} docs/security/protections.md */
export function protectionsPage() {
  return [INTRODUCTION, ...SECTIONS.map(section)].join('\n\n');
}

function section({ title, about, protections }) {
  const rows = protections.map(({ what, file, by, test, name }) =>
    [what, code(file), by, `${code(basename(test))} ${code(name)}`].join(' | '),
  );
  const head = ['protection | file | mutation | test that fails', '--- | --- | --- | ---'];
  const table = [...head, ...rows].map((row) => `| ${row} |`).join('\n');
  return `## ${title}\n\n${about}\n\n<!-- prettier-ignore-start -->\n\n${table}\n\n<!-- prettier-ignore-end -->`;
}

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
