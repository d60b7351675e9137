import type { CueToken } from './cue-token.js';
import { computeBreakCost } from './break-cost.js';

export const LINE_COLUMNS = 42;

/** Computes widths in constant time. */
export class LineWidths {
  private readonly cumulativeWidths: number[] = [0];
  private readonly lineEnds: number[] = [];

  constructor(private readonly tokens: readonly CueToken[]) {
    let total = 0;
    for (const piece of tokens) {
      total += piece.width + spaceWidth(piece);
      this.cumulativeWidths.push(total);
    }
    let end = 0;
    for (let from = 0; from < tokens.length; from += 1) {
      end = Math.max(end, from + 1);
      while (end < tokens.length && this.width(from, end + 1) <= LINE_COLUMNS) end += 1;
      this.lineEnds.push(end);
    }
  }

  /** @param to exclusive @returns columns on one line */
  width(from: number, to: number): number {
    const first = this.tokens[from];
    if (!first || to <= from) return 0;
    return (this.cumulativeWidths[to] ?? 0) - (this.cumulativeWidths[from] ?? 0) - spaceWidth(first);
  }

  /** A token that is wider than a line gets its own cue, because words are never split. */
  fits(from: number, to: number): boolean {
    if (to - from <= 1 || this.width(from, to) <= LINE_COLUMNS) return true;
    const end = this.lineEnds[from] ?? from + 1;
    return this.width(from, end) <= LINE_COLUMNS && this.width(end, to) <= LINE_COLUMNS;
  }
}

function spaceWidth(piece: CueToken): number {
  return piece.hasSpaceBefore ? 1 : 0;
}

/** One line, or two of similar width that break between phrases. */
export function breakLines(tokens: readonly CueToken[]): string[] {
  const widths = new LineWidths(tokens);
  if (widths.width(0, tokens.length) <= LINE_COLUMNS || tokens.length === 1) return [joinTokens(tokens)];
  let best = 1;
  let least = Infinity;
  for (let at = 1; at < tokens.length; at += 1) {
    const cost = splitCost(tokens, widths, at);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return [joinTokens(tokens.slice(0, best)), joinTokens(tokens.slice(best))];
}

function splitCost(tokens: readonly CueToken[], widths: LineWidths, at: number): number {
  const [before, after] = [tokens[at - 1], tokens[at]];
  const first = widths.width(0, at);
  const second = widths.width(at, tokens.length);
  if (!before || !after || Math.max(first, second) > LINE_COLUMNS) return Infinity;
  return Math.abs(first - second) + 2 * computeBreakCost(before, after);
}

function joinTokens(tokens: readonly CueToken[]): string {
  return tokens
    .map((piece, index) => (piece.hasSpaceBefore && index > 0 ? ` ${piece.text}` : piece.text))
    .join('');
}
