import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatTable, printResult, printTableOrJson } from './output.js';

const UNSAFE_NAME = 'evil\u001b[31mname\nline2\u009b\u202e';

afterEach(() => vi.restoreAllMocks());

function capture(print: () => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  print();
  return write.mock.calls.map(([text]) => String(text)).join('');
}

describe('names that a terminal would obey', () => {
  it('are printed in one row of a table, with replacements', () => {
    const table = formatTable([{ name: UNSAFE_NAME, keys: 1 }], { NAME: 'name', KEYS: 'keys' });
    expect(table.split('\n').slice(1)).toEqual(['evil\ufffd[31mname\ufffdline2\ufffd\ufffd  1']);
  });

  it('are replaced in other texts, which keep their lines', () => {
    const printed = capture(() => printResult({}, {}, () => 'first \u001b[2J\nsecond\u007f'));
    expect(printed).toBe('first \ufffd[2J\nsecond\ufffd\n');
  });

  it('are escaped as JSON, and keep their value', () => {
    const rows = [{ name: UNSAFE_NAME }];
    const printed = capture(() => printTableOrJson({ json: true }, rows, { NAME: 'name' }));
    expect(printed.slice(0, -1)).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(JSON.parse(printed)).toEqual(rows);
  });
});
