import { basename } from 'node:path';
import { SECTIONS } from './list.mjs';

const INTRODUCTION = `# Protections, and the tests that miss them

\`npm run protections\` takes each of them out, one at a time, in a copy of the project, and fails unless the named test
fails then and passes without the change; it tells what the test failed with. \`npm run protections -- TEXT\` tries those
whose row has the text, \`--rings unit\` those whose test is in that ring, and \`--quick\` takes several out at a time where
they share neither files nor tests. \`npm run check\` sees to it that every protection is still where it was, and its test too.

On 21 November 2026 the 248 that there were had been tried one by one, ring by ring and not in one run, on a machine that
had other work: each was missed, some of them on code of an hour before. The 92 of the unit ring took three minutes; those
of the others took four to twenty seconds each where the machine was not overloaded.

Written by \`npm run docs:generate\` from the lists in \`scripts/protections\`: a new protection belongs there.`;

/** @returns {string} docs/security/protections.md */
export function protectionsPage() {
  return [INTRODUCTION, ...SECTIONS.map(section)].join('\n\n');
}

function section({ title, about, protections }) {
  const rows = protections.map(({ what, file, by, test, name }) =>
    [what, code(file), by, `${code(basename(test))} ${code(name)}`].join(' | '),
  );
  const head = ['protection | where | taken out by | test that fails', '--- | --- | --- | ---'];
  const table = [...head, ...rows].map((row) => `| ${row} |`).join('\n');
  return `## ${title}\n\n${about}\n\n<!-- prettier-ignore-start -->\n\n${table}\n\n<!-- prettier-ignore-end -->`;
}

const code = (text) => `\`${text.replaceAll('|', '\\|')}\``;
