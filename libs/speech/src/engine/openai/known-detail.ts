import { type Detail, DETAILS } from './form.js';

/** One odd chunk says nothing of the server. */
const IN_A_ROW = 3;
/** Servers are replaced; a question that is refused costs little. */
const CHUNKS_UNTIL_ASKED_AGAIN = 50;

/** What a server is asked for first, by what it was seen to take. */
export class KnownDetail {
  private most: Detail = DETAILS[0];
  private asked = 0;
  private lessInARow = 0;

  /** @param onLess told when the server is asked for less from now on */
  constructor(private readonly onLess: (detail: Detail) => void) {}

  /** What to ask for one chunk, the most first, until the server takes it. */
  toAsk(): readonly Detail[] {
    this.asked += 1;
    return this.asked % CHUNKS_UNTIL_ASKED_AGAIN === 0 ? DETAILS : DETAILS.slice(rank(this.most));
  }

  /** The server took this question, and refused those for more. */
  took(detail: Detail): void {
    if (rank(detail) <= rank(this.most)) {
      this.most = detail;
      this.lessInARow = 0;
      return;
    }
    this.lessInARow += 1;
    if (this.lessInARow < IN_A_ROW) return;
    this.most = detail;
    this.lessInARow = 0;
    this.onLess(detail);
  }
}

function rank(detail: Detail): number {
  return DETAILS.indexOf(detail);
}
