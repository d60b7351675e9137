import type { RecognizedWord } from '../engine/engine.js';
import { floorToThreeDecimals } from '../engine/estimate-word-times.js';
import { splitOffSurroundingMarks, writeBetweenMarks } from '../engine/term-marks.js';

/**
 * Writes a term in place of words: with their time, language and the marks around them. Nobody knows how sure an engine is
 * of a word that it did not recognize, so its confidence is null.
 * @param replaced at least one word @param parts words of the term, at least one
 */
export function buildReplacementTermWords(
  replaced: readonly RecognizedWord[],
  parts: readonly string[],
): RecognizedWord[] {
  const [first, last] = [replaced[0], replaced.at(-1)];
  if (!first || !last) return [];
  const { before } = splitOffSurroundingMarks(first.text);
  const { after } = splitOffSurroundingMarks(last.text);
  const spans = parts.length === replaced.length ? replaced : divideTime(first.start, last.end, parts);
  return parts.map((part, index) => ({
    text: writeBetweenMarks(index === 0 ? before : '', part, index === parts.length - 1 ? after : ''),
    start: spans[index]?.start ?? first.start,
    end: spans[index]?.end ?? last.end,
    confidence: null,
    language: first.language,
    ...estimateWithin(replaced),
  }));
}

/** Divides the time between the parts in proportion to their lengths. */
function divideTime(start: number, end: number, parts: readonly string[]): { start: number; end: number }[] {
  const letters = parts.reduce((sum, { length }) => sum + length, 0);
  let reached = 0;
  return parts.map(({ length }) => {
    const from = floorToThreeDecimals(start + ((end - start) * reached) / letters);
    reached += length;
    return {
      start: from,
      end: reached === letters ? end : floorToThreeDecimals(start + ((end - start) * reached) / letters),
    };
  });
}

function estimateWithin(replaced: readonly RecognizedWord[]): Pick<RecognizedWord, 'estimatedWithin'> {
  const spans = replaced.flatMap(({ estimatedWithin }) => (estimatedWithin ? [estimatedWithin] : []));
  if (spans.length === 0) return {};
  return {
    estimatedWithin: {
      start: Math.min(...spans.map(({ start }) => start)),
      end: Math.max(...spans.map(({ end }) => end)),
    },
  };
}
