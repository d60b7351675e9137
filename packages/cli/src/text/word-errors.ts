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

/** The fewest changes that make the reference out of the transcript. */
export function countWordErrors(
  reference: readonly string[],
  transcript: readonly string[],
): WordErrorCounts {
  const words = reference.length;
  let row: WordErrorCounts[] = Array.from({ length: transcript.length + 1 }, (_, index) => ({
    words,
    substitutions: 0,
    deletions: 0,
    insertions: index,
  }));
  for (const word of reference) {
    const first = row[0] as WordErrorCounts;
    const next: WordErrorCounts[] = [{ ...first, deletions: first.deletions + 1 }];
    transcript.forEach((other, index) => {
      const [diagonal, above, left] = [row[index], row[index + 1], next[index]] as [
        WordErrorCounts,
        WordErrorCounts,
        WordErrorCounts,
      ];
      if (word === other) return next.push(diagonal);
      const least = Math.min(sum(diagonal), sum(above), sum(left));
      if (sum(diagonal) === least)
        return next.push({ ...diagonal, substitutions: diagonal.substitutions + 1 });
      if (sum(above) === least) return next.push({ ...above, deletions: above.deletions + 1 });
      return next.push({ ...left, insertions: left.insertions + 1 });
    });
    row = next;
  }
  return row.at(-1) as WordErrorCounts;
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
