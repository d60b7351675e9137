/** A row of a Markdown table: its line, from 1, and its cells; `problem` where it is not one of its table. */

const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

/**
 * Returns the rows of all tables of a page, without heads and dividers. A line that begins with `|` belongs to the table
 * above it, so that a truncated row has another number of cells than its head.
 * @param {string} text
 * @returns {{ line: number, text: string, cells: string[], problem: string | undefined }[]}
 */
export function parseMarkdownTableRows(text) {
  const lines = text.split('\n');
  const rows = [];
  let width;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|')) width = undefined;
    else if (width === undefined) width = cellsOf(line).length;
    else if (!DIVIDER.test(line)) {
      const cells = cellsOf(line);
      const whole = line.trimEnd().endsWith('|') && cells.length === width;
      const problem = whole
        ? undefined
        : `the row has ${cells.length} cells and not ${width}, or is cut short`;
      rows.push({ line: index + 1, text: line, cells, problem });
    }
  }
  return rows;
}

/** What stands between bars that are not escaped. */
function cellsOf(line) {
  return line
    .trimEnd()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
