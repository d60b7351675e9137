export interface JsonOption {
  json?: boolean;
}

/** Title to the property of a row, or to a function of it. */
type Columns<Row> = Record<string, keyof Row | ((row: Row) => unknown)>;

/** Control characters, which a terminal would obey, and those that change the direction of the text. */
const UNSAFE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;
const UNSAFE_EXCEPT_LINES = new RegExp(`(?![\\n\\t])${UNSAFE.source}`, 'gu');

export function printResult({ json }: JsonOption, value: unknown, formatText: () => string): void {
  const text = json ? escapeControlCharacters(JSON.stringify(value)) : formatText();
  process.stdout.write(`${text.replaceAll(UNSAFE_EXCEPT_LINES, '\ufffd')}\n`);
}

export function printTable<Row>(options: JsonOption, rows: readonly Row[], columns: Columns<Row>): void {
  printResult(options, rows, () => formatTable(rows, columns));
}

/** JSON itself escapes only those of ASCII. */
function escapeControlCharacters(json: string): string {
  return json.replaceAll(UNSAFE, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Columns padded to their widest cell; null is `-`. */
export function formatTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const readers = Object.values(columns);
  const cells = rows.map((row) =>
    readers.map((read) => {
      const cell = typeof read === 'function' ? read(row) : row[read];
      return String((cell as string | number | null | undefined) ?? '-').replaceAll(UNSAFE, '\ufffd');
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
