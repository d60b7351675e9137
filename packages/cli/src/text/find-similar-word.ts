/** The word that was probably meant; undefined if none is similar enough. */
export function findSimilarWord(typed: string, words: readonly string[]): string | undefined {
  const maxEdits = Math.max(1, Math.floor(typed.length / 4));
  const [best] = words
    .map((word) => ({ word, edits: countEdits(typed, word) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  return best?.word;
}

/** Letters to insert, to delete, to replace, or to exchange with the next one. */
function countEdits(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const exchanged = isExchange ? at(i - 2, j - 2) + 1 : Infinity;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, exchanged));
    }
  }
  return at(a.length, b.length);
}
