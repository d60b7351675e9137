export interface MarkScore {
  /** How often both texts have the mark after the same word. */
  right: number;
  /** How often the hypothesis has the mark. */
  set: number;
  /** How often the reference has the mark. */
  written: number;
}

const MARKS = ['.', ',', '?'] as const;
type Mark = (typeof MARKS)[number];

interface Token {
  word: string;
  mark: Mark | null;
}

/** Compares the punctuation of two texts after an alignment of their words with the fewest differences. */
export function scorePunctuation(reference: string, hypothesis: string): Record<Mark, MarkScore> {
  const [written, set] = [tokenize(reference), tokenize(hypothesis)];
  const pairs = alignTokens(written, set);
  const score = (mark: Mark): MarkScore => ({
    right: pairs.filter(([one, other]) => one.mark === mark && other.mark === mark).length,
    set: set.filter((token) => token.mark === mark).length,
    written: written.filter((token) => token.mark === mark).length,
  });
  return { '.': score('.'), ',': score(','), '?': score('?') };
}

function tokenize(text: string): Token[] {
  return text
    .split(/\s+/)
    .filter((token) => /[\p{L}\p{N}]/u.test(token))
    .map((token) => ({
      word: token.toLowerCase().replace(/[^\p{L}\p{N}']/gu, ''),
      mark: MARKS.find((mark) => token.endsWith(mark)) ?? null,
    }));
}

/** The aligned pairs of words, equal or not. */
function alignTokens(left: readonly Token[], right: readonly Token[]): [Token, Token][] {
  const costs = costTable(left, right);
  const cost = (row: number, column: number) => costs[row]?.[column] ?? Infinity;
  const pairs: [Token, Token][] = [];
  let [row, column] = [left.length, right.length];
  while (row > 0 && column > 0) {
    const [one, other] = [left[row - 1], right[column - 1]];
    if (!one || !other) break;
    if (cost(row, column) === cost(row - 1, column - 1) + difference(one, other)) {
      pairs.push([one, other]);
      row -= 1;
      column -= 1;
    } else if (cost(row, column) === cost(row - 1, column) + 1) row -= 1;
    else column -= 1;
  }
  return pairs;
}

function costTable(left: readonly Token[], right: readonly Token[]): number[][] {
  const rows = [Array.from({ length: right.length + 1 }, (_, column) => column)];
  for (const one of left) {
    const above = rows.at(-1) ?? [];
    const row = [rows.length];
    for (const [at, other] of right.entries()) {
      const swap = (above[at] ?? 0) + difference(one, other);
      row.push(Math.min(swap, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
    }
    rows.push(row);
  }
  return rows;
}

function difference(one: Token, other: Token): number {
  return one.word === other.word ? 0 : 1;
}
