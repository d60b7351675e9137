import { setImmediate } from 'node:timers/promises';

/** Rows of the reference between two turns of other work. */
const ROWS_AT_A_TIME = 256;

export interface WordErrorCounts {
  /** Words of the reference. */
  words: number;
  substitutions: number;
  deletions: number;
  insertions: number;
}

/** Scripts without spaces between words, and the marks of a character. */
const UNSPACED_CHARACTER =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]\p{M}*/gu;

/** Words without case and punctuation; characters of scripts without spaces. Numbers stay as they are written. */
export function splitIntoNormalizedWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replaceAll(UNSPACED_CHARACTER, ' $& ')
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .map((word) => word.replaceAll(/^'+|'+$/g, ''))
    .filter((word) => word !== '');
}

/**
 * The fewest changes that make the reference out of the transcript. Takes time by the product of both lengths, and lets other work run in
 * between.
 * @throws the reason of the signal
 */
export async function countWordErrors(
  reference: readonly string[],
  transcript: readonly string[],
  signal: AbortSignal,
): Promise<WordErrorCounts> {
  const numbers = new Map<string, number>();
  const [wanted, found] = [numberWords(reference, numbers), numberWords(transcript, numbers)];
  // Of the words of the reference so far and the first words of the transcript, by how many these are: all changes, and two kinds.
  const changes = Uint32Array.from({ length: found.length + 1 }, (_, index) => index);
  const substitutions = new Uint32Array(found.length + 1);
  const deletions = new Uint32Array(found.length + 1);
  for (const [row, word] of wanted.entries()) {
    if (row % ROWS_AT_A_TIME === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
    compareWord(word, found, { changes, substitutions, deletions });
  }
  const [substituted, deleted] = [substitutions.at(-1) as number, deletions.at(-1) as number];
  return {
    words: reference.length,
    substitutions: substituted,
    deletions: deleted,
    insertions: (changes.at(-1) as number) - substituted - deleted,
  };
}

/** Equal words get equal numbers. */
function numberWords(words: readonly string[], numbers: Map<string, number>): Uint32Array {
  return Uint32Array.from(words, (word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
}

interface CountsByLength {
  changes: Uint32Array;
  substitutions: Uint32Array;
  deletions: Uint32Array;
}

/** Adds a word of the reference: the counts are replaced in place. */
function compareWord(
  word: number,
  found: Uint32Array,
  { changes, substitutions, deletions }: CountsByLength,
): void {
  // Without this word and without the last one of the transcript.
  let diagonal = changes[0] as number;
  let diagonalSubstitutions = substitutions[0] as number;
  let diagonalDeletions = deletions[0] as number;
  changes[0] = diagonal + 1;
  deletions[0] = diagonalDeletions + 1;
  for (let index = 1; index < changes.length; index++) {
    const above = changes[index] as number;
    const aboveSubstitutions = substitutions[index] as number;
    const aboveDeletions = deletions[index] as number;
    const left = changes[index - 1] as number;
    if (word === found[index - 1]) {
      changes[index] = diagonal;
      substitutions[index] = diagonalSubstitutions;
      deletions[index] = diagonalDeletions;
    } else if (diagonal <= above && diagonal <= left) {
      changes[index] = diagonal + 1;
      substitutions[index] = diagonalSubstitutions + 1;
      deletions[index] = diagonalDeletions;
    } else if (above <= left) {
      changes[index] = above + 1;
      deletions[index] = aboveDeletions + 1;
    } else {
      changes[index] = left + 1;
      substitutions[index] = substitutions[index - 1] as number;
      deletions[index] = deletions[index - 1] as number;
    }
    diagonal = above;
    diagonalSubstitutions = aboveSubstitutions;
    diagonalDeletions = aboveDeletions;
  }
}

export function sumWordErrorCounts(a: WordErrorCounts, b: WordErrorCounts): WordErrorCounts {
  return {
    words: a.words + b.words,
    substitutions: a.substitutions + b.substitutions,
    deletions: a.deletions + b.deletions,
    insertions: a.insertions + b.insertions,
  };
}

/** @returns errors per word of the reference; more than 1 is possible; `null` without words */
export function getWordErrorRate(errors: WordErrorCounts): number | null {
  return errors.words === 0 ? null : sum(errors) / errors.words;
}

function sum({ substitutions, deletions, insertions }: WordErrorCounts): number {
  return substitutions + deletions + insertions;
}
