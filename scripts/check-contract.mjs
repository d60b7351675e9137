/**
 * Every row of docs/contract.md and of the threat model is numbered without a gap and names tests that exist: the tables cannot rot.
 *
 * The last cell of a row holds code spans: a file of tests by its own name, then the names of tests in it as they
 * stand in the source, then perhaps another file. Rows of tables without numbers are reasons and are not looked at.
 * The files of tests that README.md leads to exist as well.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { namesTest, TEST_FILE, testFiles } from './lib/test-names.mjs';

const PAGES = ['docs/contract.md', 'docs/security/threat-model.md'];
const NUMBERED = /^\| *([DT\d][\d.]*)-(\d+) *\|/;

async function problemsOf(row, files) {
  const cell = row.split(/(?<!\\)\|/).at(-2) ?? '';
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
const pages = await Promise.all(PAGES.map((page) => readFile(join(ROOT, page), 'utf8')));
for (const line of pages.join('\n').split('\n')) {
  const [, section, number] = NUMBERED.exec(line) ?? [];
  if (section === undefined) continue;
  rows += 1;
  const next = (expected.get(section) ?? 0) + 1;
  expected.set(section, Number(number));
  if (Number(number) !== next) troubles.push(`${section}-${number}: ${section}-${next} is missing`);
  for (const problem of await problemsOf(line, files)) troubles.push(`${section}-${number}: ${problem}`);
}
if (rows === 0) troubles.push(`${PAGES.join(' and ')} have no numbered rows`);
const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
for (const [, linked] of readme.matchAll(/\]\((test\/[^)]+)\)/g))
  await access(join(ROOT, linked)).catch(() => troubles.push(`README.md: there is no ${linked}`));
for (const trouble of troubles) console.log(trouble);
if (troubles.length > 0) process.exitCode = 1;
