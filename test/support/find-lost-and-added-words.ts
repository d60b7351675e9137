export interface RecognizedWordWithoutLanguage {
  text: string;
  start: number;
  end: number;
}

/** A word that only one of two transcripts contains. */
export interface WordChange {
  kind: 'lost' | 'added';
  text: string;
  /** The middle of the word, in seconds. */
  at: number;
}

/**
 * The deletions and insertions that turn `before` into `after`. Words are compared by their text; substituted words
 * are not reported.
 */
export function findLostAndAddedWords(
  before: readonly RecognizedWordWithoutLanguage[],
  after: readonly RecognizedWordWithoutLanguage[],
): WordChange[] {
  const costs = computeEditCosts(before, after);
  const cost = (a: number, b: number): number => costs[a]?.[b] ?? Infinity;
  const changes: WordChange[] = [];
  let [a, b] = [before.length, after.length];
  while (a > 0 || b > 0) {
    const [lost, added] = [before[a - 1], after[b - 1]];
    if (lost && added && cost(a, b) === cost(a - 1, b - 1) + (lost.text === added.text ? 0 : 1)) {
      a -= 1;
      b -= 1;
    } else if (lost && cost(a, b) === cost(a - 1, b) + 1) {
      changes.push({ kind: 'lost', text: lost.text, at: (lost.start + lost.end) / 2 });
      a -= 1;
    } else if (added) {
      changes.push({ kind: 'added', text: added.text, at: (added.start + added.end) / 2 });
      b -= 1;
    }
  }
  return changes.toReversed();
}

/** In row `a`, column `b`: the edit distance between the first `a` words of `before` and the first `b` of `after`. */
function computeEditCosts(
  before: readonly RecognizedWordWithoutLanguage[],
  after: readonly RecognizedWordWithoutLanguage[],
): Int32Array[] {
  const rows = [Int32Array.from({ length: after.length + 1 }, (_, b) => b)];
  for (const [index, word] of before.entries()) {
    const above = rows[index] ?? new Int32Array();
    const row = new Int32Array(after.length + 1);
    row[0] = index + 1;
    for (const [at, other] of after.entries()) {
      const same = (above[at] ?? 0) + (word.text === other.text ? 0 : 1);
      row[at + 1] = Math.min(same, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1);
    }
    rows.push(row);
  }
  return rows;
}
