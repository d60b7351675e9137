import type { RecognizedWordWithoutLanguage } from './engine.js';
import { containsUnspacedScript, splitIntoWords } from './split-into-words.js';

/** Parts of one word follow each other more closely. */
const MIN_PAUSE_SECONDS = 0.3;
const LETTER = /[\p{L}\p{N}]/u;

/**
 * Makes words of the parts that engines list of Chinese, Japanese, Thai and the like: mostly single characters, between which
 * neither a caption may break nor a person corrects.
 * @param words in order, their texts without spaces
 */
export function joinPartsOfUnspacedWords<W extends RecognizedWordWithoutLanguage>(words: readonly W[]): W[] {
  return groupIntoRuns(words).flatMap((run) => (run.length === 1 ? run : divideIntoWords(run)));
}

function groupIntoRuns<W extends RecognizedWordWithoutLanguage>(words: readonly W[]): W[][] {
  const runs: W[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && containsUnspacedScript(run[0]?.text ?? '') && continuesRun(before, word))
      run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function continuesRun(
  before: RecognizedWordWithoutLanguage,
  { text, start, spaceBefore }: RecognizedWordWithoutLanguage,
): boolean {
  if (spaceBefore) return false;
  return start - before.end < MIN_PAUSE_SECONDS && (containsUnspacedScript(text) || !LETTER.test(text));
}

function divideIntoWords<W extends RecognizedWordWithoutLanguage>(parts: readonly W[]): W[] {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of parts) {
    starts.push(length);
    length += text.length;
  }
  let reached = 0;
  let firstIndex = 0;
  const endOf = (index: number): number => (starts[index] ?? 0) + (parts[index]?.text.length ?? 0);
  return splitIntoWords(parts.map(({ text }) => text).join('')).flatMap((text) => {
    const from = reached;
    reached += text.length;
    while (firstIndex < parts.length && endOf(firstIndex) <= from) firstIndex += 1;
    let lastIndex = firstIndex;
    while (lastIndex + 1 < parts.length && (starts[lastIndex + 1] ?? 0) < reached) lastIndex += 1;
    const [first, last] = [parts[firstIndex], parts[lastIndex]];
    if (!first || !last) return [];
    return {
      ...first,
      // Of the words in a part, only the first follows the space.
      ...(first.spaceBefore && from > 0 && { spaceBefore: undefined }),
      text,
      start: findMoment(first, from - (starts[firstIndex] ?? 0)),
      end: findMoment(last, reached - (starts[lastIndex] ?? 0)),
      confidence: meanConfidence(parts.slice(firstIndex, lastIndex + 1)),
    };
  });
}

/** When a character of the text begins. */
function findMoment({ text, start, end }: RecognizedWordWithoutLanguage, offset: number): number {
  return offset >= text.length ? end : start + ((end - start) * offset) / text.length;
}

function meanConfidence(parts: readonly RecognizedWordWithoutLanguage[]): number | null {
  let product = 1;
  for (const { confidence } of parts) {
    if (confidence === null) return null;
    product *= confidence;
  }
  return product ** (1 / parts.length);
}
