/**
 * Part of `npm run check`: every row of docs/contract.md and of the threat model is complete, numbered without gaps, and
 * names existing tests; docs/security/asvs.md has a row with tests for every requirement.
 *
 * The last cell of a row contains code spans: the name of a test file, then titles of its tests as in the source, then
 * possibly another file. Rows without a number are not checked. Test files that docs/guarantees.md links to must exist.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { parseMarkdownTableRows } from './lib/markdown-table-rows.mjs';
import { containsTestName, TEST_FILE, listTestFiles } from './lib/test-names.mjs';

const PAGES = ['docs/contract.md', 'docs/security/threat-model.md'];
const ASVS_PAGE = 'docs/security/asvs.md';
/** Sections of ASVS 5.0, each with the number of its requirements of levels 1 and 2. */
const ASVS_REQUIREMENT_COUNTS = {
  ...{ 6.1: 3, 6.2: 12, 6.3: 4, 6.4: 4, 6.5: 5, 6.6: 3, 6.8: 4 },
  ...{ 7.1: 3, 7.2: 4, 7.3: 2, 7.4: 5, 7.5: 2, 7.6: 2 },
  ...{ 8.1: 2, 8.2: 3, 8.3: 1, 8.4: 1 },
};
const NUMBER = /^([DT\d][\d.]*)-(\d+)$/;

async function findCellProblems(cell, files) {
  const spans = [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text.replaceAll('\\|', '|'));
  if (!spans.some((span) => !TEST_FILE.test(span))) return ['names no test'];
  const problems = [];
  let file;
  let source = '';
  for (const span of spans) {
    if (TEST_FILE.test(span)) {
      file = span;
      const path = files.get(span);
      if (path === undefined) problems.push(`there is not exactly one file ${span}`);
      source = path === undefined ? '' : await readFile(path, 'utf8');
    } else if (file === undefined) problems.push(`names a test before its file: ${span}`);
    else if (source !== '' && !containsTestName(source, span)) problems.push(`${file} has no test “${span}”`);
  }
  return problems;
}

const files = await listTestFiles();
const expected = new Map();
const problems = [];
let rowCount = 0;
const pages = await Promise.all(
  PAGES.map(async (page) => {
    const found = parseMarkdownTableRows(await readFile(join(ROOT, page), 'utf8'));
    return found.map((row) => ({ page, ...row }));
  }),
);
for (const { page, line, cells, problem } of pages.flat()) {
  if (problem !== undefined) problems.push(`${page}:${line}: ${problem}`);
  const [, section, number] = NUMBER.exec(cells[0]) ?? [];
  if (section === undefined) continue;
  rowCount += 1;
  const next = (expected.get(section) ?? 0) + 1;
  expected.set(section, Number(number));
  if (Number(number) !== next) problems.push(`${section}-${number}: ${section}-${next} is missing`);
  for (const cellProblem of await findCellProblems(cells.at(-1), files))
    problems.push(`${section}-${number}: ${cellProblem}`);
}
const requirements = Object.entries(ASVS_REQUIREMENT_COUNTS).flatMap(([section, count]) =>
  Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
);
const rowsByRequirement = new Map(requirements.map((requirement) => [requirement, 0]));
for (const { line, cells, problem } of parseMarkdownTableRows(
  await readFile(join(ROOT, ASVS_PAGE), 'utf8'),
)) {
  if (problem !== undefined) problems.push(`${ASVS_PAGE}:${line}: ${problem}`);
  for (const requirement of cells[0].split(', ')) {
    const count = rowsByRequirement.get(requirement);
    if (count === undefined) problems.push(`${ASVS_PAGE}:${line}: ASVS has no requirement ${requirement}`);
    else rowsByRequirement.set(requirement, count + 1);
  }
  for (const cellProblem of await findCellProblems(cells.at(-1), files))
    problems.push(`${ASVS_PAGE}:${line}: ${cellProblem}`);
}
for (const [requirement, count] of rowsByRequirement)
  if (count !== 1) problems.push(`${ASVS_PAGE} has ${count} rows of ${requirement}`);
if (rowCount === 0) problems.push(`${PAGES.join(' and ')} have no numbered rows`);
const guarantees = await readFile(join(ROOT, 'docs', 'guarantees.md'), 'utf8');
const linkedTests = [...guarantees.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path]) => path);
if (linkedTests.length === 0) problems.push('docs/guarantees.md links to no test');
for (const path of linkedTests)
  await access(join(ROOT, path)).catch(() => problems.push(`docs/guarantees.md: there is no ${path}`));
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
