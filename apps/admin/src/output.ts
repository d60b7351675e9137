export interface JsonOption {
  json?: boolean;
}

/** The answer of a command: one JSON value for scripts, or text for people. */
export function printResult({ json }: JsonOption, value: unknown, text: () => string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text()}\n`);
}

/** Columns padded to their widest cell. */
export function formatTable(header: string[], rows: string[][]): string {
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [header, ...rows].map(line).join('\n');
}

/** A command that cannot do what it was asked; its message is all the operator sees. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
