import type { CueToken } from './cue-token.js';

/** Columns of one line, and lines of one cue. */
export const LINE_COLUMNS = 42;

/** Answers in constant time how wide a stretch of pieces is and whether it fits into the two lines of a cue. */
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

  /** Columns of the pieces `from` to `to` (exclusive) on one line. */
  width(from: number, to: number): number {
    const first = this.tokens[from];
    if (!first || to <= from) return 0;
    return (this.cumulativeWidths[to] ?? 0) - (this.cumulativeWidths[from] ?? 0) - spaceWidth(first);
  }

  /** A piece that is wider than a line stands alone, since a word is never cut. */
  fits(from: number, to: number): boolean {
    if (to - from <= 1 || this.width(from, to) <= LINE_COLUMNS) return true;
    const end = this.lineEnds[from] ?? from + 1;
    return this.width(from, end) <= LINE_COLUMNS && this.width(end, to) <= LINE_COLUMNS;
  }
}

function spaceWidth(piece: CueToken): number {
  return piece.hasSpaceBefore ? 1 : 0;
}
