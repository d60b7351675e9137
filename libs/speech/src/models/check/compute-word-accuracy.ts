/**
 * The share of the words of a text that a transcript has right: 1 minus the word error rate, at least 0. Case and
 * punctuation do not matter; digits are not compared with words.
 */
export function computeWordAccuracy(text: string, transcript: string): number {
  const wanted = splitIntoWords(text);
  const errors = countWordErrors(wanted, splitIntoWords(transcript));
  return wanted.length === 0 ? 1 : Math.max(0, 1 - errors / wanted.length);
}

function splitIntoWords(text: string): string[] {
  const words = text.normalize('NFC').toLowerCase().replaceAll(/[‘’ʼ]/g, "'");
  return words.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

/** Deletions, insertions and substitutions. */
function countWordErrors(wanted: readonly string[], found: readonly string[]): number {
  let row = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [index, word] of wanted.entries()) {
    const next = [index + 1];
    for (const [at, other] of found.entries())
      next.push(
        Math.min((row[at] ?? 0) + (word === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
