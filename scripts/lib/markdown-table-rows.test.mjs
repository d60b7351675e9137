import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.mjs';
import { parseMarkdownTableRows } from './markdown-table-rows.mjs';

const HEAD = '| no. | sentence | test |\n| --- | --- | --- |\n';
const problems = (text) => parseMarkdownTableRows(text).map(({ problem }) => problem !== undefined);

describe('the rows of a table', () => {
  it('are told by their cells, escaped bars within them', () => {
    const [row] = parseMarkdownTableRows(`${HEAD}| 1-1 | a \\| b | \`c\` |\n`);
    expect(row).toMatchObject({ line: 3, cells: ['1-1', 'a \\| b', '`c`'], problem: undefined });
  });

  it.each(['| D3-10 ', '| D3-10', '| D3-10 | half', '| D3-10 | a | b', '| 1 | 2 | 3 | 4 |'])(
    'have a problem where one is cut short: %j',
    (row) => {
      expect(problems(`${HEAD}| 1-1 | a | b |\n${row}\n`)).toEqual([false, true]);
    },
  );

  it('of one table are not counted by the head of another', () => {
    expect(problems(`${HEAD}| 1-1 | a | b |\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n`)).toEqual([
      false,
      false,
    ]);
  });

  it('of the contract are all whole', async () => {
    const rows = parseMarkdownTableRows(await readFile(join(ROOT, 'docs/contract.md'), 'utf8'));
    expect(rows.length).toBeGreaterThan(250);
    expect(rows.filter(({ problem }) => problem).map(({ line, problem }) => `${line}: ${problem}`)).toEqual(
      [],
    );
  });
});
