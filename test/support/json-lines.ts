export type JsonLine = Record<string, unknown>;

/** Of an output in which each line is a value. */
export function parseJsonLines<T = JsonLine>(output: string): T[] {
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

/** The objects with these fields, in an output that has lines for people, too. */
export function findJsonLines(output: string, fields: JsonLine = {}): JsonLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as JsonLine)
    .filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
}
