import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.mjs';
import { parseMarkdownTableRows } from './markdown-table-rows.mjs';

const HEADING = '| no. | sentence | test |\n| --- | --- | --- |\n';
const findProblems = (text) => parseMarkdownTableRows(text).map(({ problem }) => problem !== undefined);

describe('parseMarkdownTableRows', () => {
  it('splits a row into cells, but not at escaped bars', () => {
    const [row] = parseMarkdownTableRows(`${HEADING}| 1-1 | a \\| b | \`c\` |\n`);
    expect(row).toMatchObject({ line: 3, cells: ['1-1', 'a \\| b', '`c`'], problem: undefined });
  });

  it.each(['| D3-10 ', '| D3-10', '| D3-10 | half', '| D3-10 | a | b', '| 1 | 2 | 3 | 4 |'])(
    'reports a problem of a truncated row: %j',
    (row) => {
      expect(findProblems(`${HEADING}| 1-1 | a | b |\n${row}\n`)).toEqual([false, true]);
    },
  );

  it('compares the rows of a table with its own heading', () => {
    expect(findProblems(`${HEADING}| 1-1 | a | b |\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n`)).toEqual([
      false,
      false,
    ]);
  });

  it('finds no problem in the contract', async () => {
    const rows = parseMarkdownTableRows(await readFile(join(ROOT, 'docs/contract.md'), 'utf8'));
    expect(rows.length).toBeGreaterThan(250);
    expect(rows.filter(({ problem }) => problem).map(({ line, problem }) => `${line}: ${problem}`)).toEqual(
      [],
    );
  });
});
