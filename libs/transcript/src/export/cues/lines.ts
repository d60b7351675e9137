import { breakCost } from './phrasing.js';
import type { Piece } from './piece.js';
import { LINE_COLUMNS, Ruler } from './ruler.js';

/** The pieces of one cue as one line, or two of about the same width that part at a phrase. */
export function toLines(pieces: readonly Piece[]): string[] {
  const ruler = new Ruler(pieces);
  if (ruler.width(0, pieces.length) <= LINE_COLUMNS || pieces.length === 1) return [toLine(pieces)];
  let best = 1;
  let least = Infinity;
  for (let at = 1; at < pieces.length; at += 1) {
    const cost = splitCost(pieces, ruler, at);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return [toLine(pieces.slice(0, best)), toLine(pieces.slice(best))];
}

function splitCost(pieces: readonly Piece[], ruler: Ruler, at: number): number {
  const [before, after] = [pieces[at - 1], pieces[at]];
  const first = ruler.width(0, at);
  const second = ruler.width(at, pieces.length);
  if (!before || !after || Math.max(first, second) > LINE_COLUMNS) return Infinity;
  return Math.abs(first - second) + 2 * breakCost(before, after);
}

function toLine(pieces: readonly Piece[]): string {
  return pieces.map((piece, index) => (piece.spaced && index > 0 ? ` ${piece.text}` : piece.text)).join('');
}
