import type { CueToken } from './cue-token.js';
import type { CaptionLayout } from './caption-layout.js';
import { computeLineBreakCost } from './line-break-cost.js';

/** Computes widths in constant time. */
export class CaptionLineMeasurer {
  private readonly cumulativeWidths: number[] = [0];
  private readonly lineEnds: number[] = [];

  constructor(
    private readonly tokens: readonly CueToken[],
    private readonly layout: CaptionLayout,
  ) {
    let total = 0;
    for (const piece of tokens) {
      total += piece.width + spaceWidth(piece);
      this.cumulativeWidths.push(total);
    }
    let end = 0;
    for (let from = 0; from < tokens.length; from += 1) {
      end = Math.max(end, from + 1);
      while (end < tokens.length && this.width(from, end + 1) <= layout.lineColumns) end += 1;
      this.lineEnds.push(end);
    }
  }

  /** @param to exclusive @returns columns on one line */
  width(from: number, to: number): number {
    const first = this.tokens[from];
    if (!first || to <= from) return 0;
    return (this.cumulativeWidths[to] ?? 0) - (this.cumulativeWidths[from] ?? 0) - spaceWidth(first);
  }

  /** A token that is wider than a line gets its own cue, with the label before it, because words are never split. */
  fits(from: number, to: number): boolean {
    return (
      to - from <= 1 || this.isLabelOfWideWord(from, to) || this.countLines(from, to) <= this.layout.maxLines
    );
  }

  /** The two take a line each. */
  isLabelOfWideWord(from: number, to: number): boolean {
    const { lineColumns, maxLines } = this.layout;
    const isLabel = this.tokens[from]?.isLabel === true;
    return isLabel && to - from === 2 && maxLines > 1 && this.width(from + 1, to) > lineColumns;
  }

  /** @returns the least number of lines; `Infinity` if a token is wider than a line */
  countLines(from: number, to: number): number {
    const { lineColumns, maxLines } = this.layout;
    let start = from;
    for (let lines = 1; lines <= maxLines; lines += 1) {
      if (this.width(start, to) <= lineColumns) return lines;
      const end = this.lineEnds[start] ?? start + 1;
      if (this.width(start, end) > lineColumns) break;
      start = end;
    }
    return Infinity;
  }
}

function spaceWidth(piece: CueToken): number {
  return piece.hasSpaceBefore ? 1 : 0;
}

/** As few lines as possible, of similar width, that break between phrases. */
export function breakCaptionLines(tokens: readonly CueToken[], layout: CaptionLayout): string[] {
  const widths = new CaptionLineMeasurer(tokens, layout);
  if (widths.isLabelOfWideWord(0, tokens.length)) return tokens.map(({ text }) => text);
  const count = tokens.length === 1 ? 1 : widths.countLines(0, tokens.length);
  const ends = chooseLineEnds(tokens, widths, Math.min(count, tokens.length), layout.lineColumns);
  return ends.map((end, line) => joinTokens(tokens.slice(ends[line - 1] ?? 0, end)));
}

interface LineBreak {
  cost: number;
  /** Ends (exclusive) of the lines so far. */
  ends: number[];
}

/** Dynamic programming over the number of lines. @returns the end (exclusive) of every line */
function chooseLineEnds(
  tokens: readonly CueToken[],
  widths: CaptionLineMeasurer,
  count: number,
  lineColumns: number,
): number[] {
  if (count === 1) return [tokens.length];
  const meanWidth = widths.width(0, tokens.length) / count;
  let best: (LineBreak | undefined)[] = [{ cost: 0, ends: [] }];
  for (let line = 1; line <= count; line += 1) {
    const previous = best;
    best = [];
    for (let end = line; end <= tokens.length; end += 1)
      best[end] = findBestLine(tokens, previous, end, (from) => {
        const width = widths.width(from, end);
        return width > lineColumns ? Infinity : Math.abs(width - meanWidth);
      });
  }
  return best[tokens.length]?.ends ?? [tokens.length];
}

function findBestLine(
  tokens: readonly CueToken[],
  previous: readonly (LineBreak | undefined)[],
  end: number,
  widthCost: (from: number) => number,
): LineBreak | undefined {
  let best: LineBreak | undefined;
  for (let from = 0; from < end; from += 1) {
    const before = previous[from];
    if (!before) continue;
    const [left, right] = [tokens[from - 1], tokens[from]];
    const breakCost = left && right ? 2 * computeLineBreakCost(left, right) : 0;
    const cost = before.cost + breakCost + widthCost(from);
    if (cost < (best?.cost ?? Infinity)) best = { cost, ends: [...before.ends, end] };
  }
  return best;
}

function joinTokens(tokens: readonly CueToken[]): string {
  return tokens
    .map((piece, index) => (piece.hasSpaceBefore && index > 0 ? ` ${piece.text}` : piece.text))
    .join('');
}
