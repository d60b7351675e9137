export interface JsonOption {
  json?: boolean;
}

/** Title to the property of a row, or to a function of it. */
type Columns<Row> = Record<string, keyof Row | ((row: Row) => unknown)>;

export function printResult({ json }: JsonOption, value: unknown, formatText: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : formatText()}\n`);
}

export function printTable<Row>(options: JsonOption, rows: readonly Row[], columns: Columns<Row>): void {
  printResult(options, rows, () => formatTable(rows, columns));
}

/** Columns padded to their widest cell; null is `-`. */
export function formatTable<Row>(rows: readonly Row[], columns: Columns<Row>): string {
  const readers = Object.values(columns);
  const cells = rows.map((row) =>
    readers.map((read) => {
      const cell = typeof read === 'function' ? read(row) : row[read];
      return String((cell as string | number | null | undefined) ?? '-');
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
