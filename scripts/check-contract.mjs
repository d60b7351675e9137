/**
 * Every row of docs/contract.md and of the threat model is whole, is numbered without a gap and names tests that exist: the tables cannot rot.
 *
 * The last cell of a row holds code spans: a file of tests by its own name, then the names of tests in it as they
 * stand in the source, then perhaps another file. Rows of tables without numbers are reasons and are not looked at.
 * The test files that docs/guarantees.md links to exist.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { tableRows } from './lib/table-rows.mjs';
import { namesTest, TEST_FILE, testFiles } from './lib/test-names.mjs';

const PAGES = ['docs/contract.md', 'docs/security/threat-model.md'];
const NUMBER = /^([DT\d][\d.]*)-(\d+)$/;

async function problemsOf(cell, files) {
  const spans = [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text.replaceAll('\\|', '|'));
  if (!spans.some((span) => !TEST_FILE.test(span))) return ['names no test'];
  const problems = [];
  let file;
  let source = '';
  for (const span of spans) {
    if (TEST_FILE.test(span)) {
      file = span;
      const path = files.get(span);
      if (path === undefined) problems.push(`there is no one file ${span}`);
      source = path === undefined ? '' : await readFile(path, 'utf8');
    } else if (file === undefined) problems.push(`names a test before its file: ${span}`);
    else if (source !== '' && !namesTest(source, span)) problems.push(`${file} has no test “${span}”`);
  }
  return problems;
}

const files = await testFiles();
const expected = new Map();
const troubles = [];
let rows = 0;
const pages = await Promise.all(
  PAGES.map(async (page) => {
    const found = tableRows(await readFile(join(ROOT, page), 'utf8'));
    return found.map((row) => ({ page, ...row }));
  }),
);
for (const { page, line, cells, problem } of pages.flat()) {
  if (problem !== undefined) troubles.push(`${page}:${line}: ${problem}`);
  const [, section, number] = NUMBER.exec(cells[0]) ?? [];
  if (section === undefined) continue;
  rows += 1;
  const next = (expected.get(section) ?? 0) + 1;
  expected.set(section, Number(number));
  if (Number(number) !== next) troubles.push(`${section}-${number}: ${section}-${next} is missing`);
  for (const missing of await problemsOf(cells.at(-1), files))
    troubles.push(`${section}-${number}: ${missing}`);
}
if (rows === 0) troubles.push(`${PAGES.join(' and ')} have no numbered rows`);
const guarantees = await readFile(join(ROOT, 'docs', 'guarantees.md'), 'utf8');
const linkedTests = [...guarantees.matchAll(/\]\(\.\.\/(test\/[^)]+)\)/g)].map(([, path]) => path);
if (linkedTests.length === 0) troubles.push('docs/guarantees.md links to no test');
for (const path of linkedTests)
  await access(join(ROOT, path)).catch(() => troubles.push(`docs/guarantees.md: there is no ${path}`));
for (const trouble of troubles) console.log(trouble);
if (troubles.length > 0) process.exitCode = 1;
