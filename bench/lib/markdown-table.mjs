/**
 * A Markdown table whose columns line up.
 *
 * @param {string[]} head @param {string[][]} rows as many texts each
 */
export function formatMarkdownTable(head, rows) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const line = (texts) => `| ${texts.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
