import { replaceControlAndDirectionCharacters } from '@app/errors';

export interface JsonOption {
  json?: boolean;
}

/** Title to the property of a row, or to a function of it. */
type Columns<Row> = Record<string, keyof Row | ((row: Row) => unknown)>;

const REPLACEMENT = '\ufffd';

export function printResult({ json }: JsonOption, value: unknown, formatText: () => string): void {
  const text = json ? escapeControlCharacters(JSON.stringify(value)) : formatText();
  // A terminal would obey them.
  const safe = replaceControlAndDirectionCharacters(text, (each) =>
    each === '\n' || each === '\t' ? each : REPLACEMENT,
  );
  process.stdout.write(`${safe}\n`);
}

export function printTableOrJson<Row>(
  options: JsonOption,
  rows: readonly Row[],
  columns: Columns<Row>,
): void {
  printResult(options, rows, () => formatTable(rows, columns));
}

/** JSON itself escapes only those of ASCII. */
function escapeControlCharacters(json: string): string {
  return replaceControlAndDirectionCharacters(
    json,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Columns padded to their widest cell; null is `-`. */
export function formatTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const readers = Object.values(columns);
  const cells = rows.map((row) =>
    readers.map((read) => {
      const cell = typeof read === 'function' ? read(row) : row[read];
      const text = String((cell as string | number | null | undefined) ?? '-');
      return replaceControlAndDirectionCharacters(text, () => REPLACEMENT);
    }),
  );
  const table = [Object.keys(columns), ...cells];
  const widths = readers.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  return table
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Its message is all that the operator sees. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** `640 kB`, `1.04 GB` */
export function formatSize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.round(bytes / 1e3)} kB`;
}
