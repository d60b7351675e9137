import type { Piece } from './piece.js';

/** Columns of one line, and lines of one cue. */
export const LINE_COLUMNS = 42;

/** Answers in constant time how wide a stretch of pieces is and whether it fits into the two lines of a cue. */
export class Ruler {
  private readonly upTo: number[] = [0];
  private readonly lineEnds: number[] = [];

  constructor(private readonly pieces: readonly Piece[]) {
    let total = 0;
    for (const piece of pieces) {
      total += piece.width + space(piece);
      this.upTo.push(total);
    }
    let end = 0;
    for (let from = 0; from < pieces.length; from += 1) {
      end = Math.max(end, from + 1);
      while (end < pieces.length && this.width(from, end + 1) <= LINE_COLUMNS) end += 1;
      this.lineEnds.push(end);
    }
  }

  /** Columns of the pieces `from` to `to` (exclusive) on one line. */
  width(from: number, to: number): number {
    const first = this.pieces[from];
    if (!first || to <= from) return 0;
    return (this.upTo[to] ?? 0) - (this.upTo[from] ?? 0) - space(first);
  }

  /** A piece that is wider than a line stands alone, since a word is never cut. */
  fits(from: number, to: number): boolean {
    if (to - from <= 1 || this.width(from, to) <= LINE_COLUMNS) return true;
    const end = this.lineEnds[from] ?? from + 1;
    return this.width(from, end) <= LINE_COLUMNS && this.width(end, to) <= LINE_COLUMNS;
  }
}

function space(piece: Piece): number {
  return piece.spaced ? 1 : 0;
}
