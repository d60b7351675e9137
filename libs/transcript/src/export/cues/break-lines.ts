import { breakCost } from './break-cost.js';
import type { CueToken } from './cue-token.js';
import { LINE_COLUMNS, LineWidths } from './line-widths.js';

/** The pieces of one cue as one line, or two of about the same width that part at a phrase. */
export function breakLines(pieces: readonly CueToken[]): string[] {
  const ruler = new LineWidths(pieces);
  if (ruler.width(0, pieces.length) <= LINE_COLUMNS || pieces.length === 1) return [joinTokens(pieces)];
  let best = 1;
  let least = Infinity;
  for (let at = 1; at < pieces.length; at += 1) {
    const cost = splitCost(pieces, ruler, at);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return [joinTokens(pieces.slice(0, best)), joinTokens(pieces.slice(best))];
}

function splitCost(pieces: readonly CueToken[], ruler: LineWidths, at: number): number {
  const [before, after] = [pieces[at - 1], pieces[at]];
  const first = ruler.width(0, at);
  const second = ruler.width(at, pieces.length);
  if (!before || !after || Math.max(first, second) > LINE_COLUMNS) return Infinity;
  return Math.abs(first - second) + 2 * breakCost(before, after);
}

function joinTokens(pieces: readonly CueToken[]): string {
  return pieces
    .map((piece, index) => (piece.hasSpaceBefore && index > 0 ? ` ${piece.text}` : piece.text))
    .join('');
}
