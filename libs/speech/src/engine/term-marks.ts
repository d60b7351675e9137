/** Vowel signs and accents are parts of a word. */
const MARKS_BEFORE = /^[^\p{L}\p{N}\p{M}]*/u;
const MARKS_AFTER = /[^\p{L}\p{N}\p{M}]*$/u;
const SENTENCE_MARKS = String.raw`[\p{Ps}\p{Pi}\p{Pe}\p{Pf}\p{Pd}"'.,;:!?¡¿…‥·・。、，！？；：،؛؟۔।॥]`;
const SENTENCE_MARKS_ONLY = new RegExp(`^${SENTENCE_MARKS}*$`, 'u');
/** Parts of a term, never of the sentence around it: `C#`, `C++`, `50%`. */
const SIGNS = /[\p{S}#%&@*/\\_]/gu;

export interface MarkedWord {
  before: string;
  /** What is written of the word. */
  core: string;
  after: string;
}

/** @returns the text itself as `before` if there is no letter or digit in it */
export function splitOffSurroundingMarks(text: string): MarkedWord {
  const [before = ''] = MARKS_BEFORE.exec(text) ?? [];
  const [after = ''] = before === text ? [] : (MARKS_AFTER.exec(text) ?? []);
  return { before, core: text.slice(before.length, text.length - after.length), after };
}

/** A word of a term, for comparison with many recognized words. */
export class TermPart {
  /** The word in the form in which words are compared. */
  readonly key: string;
  /** Whether there are marks around its letters and digits. */
  readonly hasMarks: boolean;

  /** @param text as the caller wrote it */
  constructor(readonly text: string) {
    this.key = toKey(text);
    const { before, after } = splitOffSurroundingMarks(text);
    this.hasMarks = before !== '' || after !== '';
  }

  /**
   * Null if the recognized word is another one. Case is ignored. A term with marks of its own (`C#`, `.NET`) is recognized
   * only with these: “vitamin C” is not `C#`.
   */
  match(recognized: string): MarkedWord | null {
    if (!this.hasMarks) {
      const split = splitOffSurroundingMarks(recognized);
      return toKey(split.core) === this.key ? split : null;
    }
    const written = recognized.normalize('NFC');
    const from = toKey(written).indexOf(this.key);
    if (from < 0) return null;
    const to = from + this.text.normalize('NFC').length;
    const [before, after] = [written.slice(0, from), written.slice(to)];
    const isWhole = SENTENCE_MARKS_ONLY.test(before) && SENTENCE_MARKS_ONLY.test(after);
    return isWhole ? { before, core: written.slice(from, to), after } : null;
  }
}

function toKey(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Finds the terms that may begin with a recognized word, without a comparison with each of many. */
export class TermCandidateIndex<Term extends readonly TermPart[]> {
  private readonly unmarked = new Map<string, number[]>();
  private readonly marked: number[] = [];

  constructor(private readonly terms: readonly Term[]) {
    for (const [rank, [first]] of terms.entries()) {
      if (!first) continue;
      const ranks = first.hasMarks ? this.marked : (this.unmarked.get(first.key) ?? []);
      ranks.push(rank);
      if (!first.hasMarks) this.unmarked.set(first.key, ranks);
    }
  }

  /** @returns terms that may begin with the word, in the order of all terms */
  listCandidates(recognized: string): Term[] {
    const written = toKey(recognized);
    const marked = this.marked.filter((rank) => written.includes(this.terms[rank]?.[0]?.key ?? ''));
    const unmarked = this.unmarked.get(toKey(splitOffSurroundingMarks(recognized).core)) ?? [];
    const ranks = marked.length > 0 ? [...marked, ...unmarked].toSorted((a, b) => a - b) : unmarked;
    return ranks.map((rank) => this.terms[rank]).filter((term) => term !== undefined);
  }
}

/** Writes a term between the sentence marks of what it replaces. Marks that the term has itself are not repeated. */
export function writeBetweenMarks(before: string, term: string, after: string): string {
  const opening = before.replaceAll(SIGNS, '');
  const closing = after.replaceAll(SIGNS, '');
  const { before: ownOpening, after: ownClosing } = splitOffSurroundingMarks(term);
  return (
    opening.slice(0, opening.length - countShared(opening, ownOpening)) +
    term +
    closing.slice(countShared(ownClosing, closing))
  );
}

/** How many characters are both the end of one text and the start of the other. */
function countShared(left: string, right: string): number {
  let length = Math.min(left.length, right.length);
  while (length > 0 && !right.startsWith(left.slice(left.length - length))) length -= 1;
  return length;
}
