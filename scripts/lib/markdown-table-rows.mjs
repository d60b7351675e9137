const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;

/**
 * Returns the rows of all tables of a page, without headings and dividers. A line that begins with `|` belongs to the table
 * above it, so a truncated row differs from its heading in the number of cells.
 * @param {string} text line numbers begin with 1
 * @returns {{ line: number, text: string, cells: string[], problem: string | undefined }[]}
 */
export function parseMarkdownTableRows(text) {
  const lines = text.split('\n');
  const rows = [];
  let width;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|')) width = undefined;
    else if (width === undefined) width = splitCells(line).length;
    else if (!DIVIDER.test(line)) {
      const cells = splitCells(line);
      const isComplete = line.trimEnd().endsWith('|') && cells.length === width;
      const problem = isComplete
        ? undefined
        : `the row has ${cells.length} cells and not ${width}, or is truncated`;
      rows.push({ line: index + 1, text: line, cells, problem });
    }
  }
  return rows;
}

function splitCells(line) {
  return line
    .trimEnd()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
