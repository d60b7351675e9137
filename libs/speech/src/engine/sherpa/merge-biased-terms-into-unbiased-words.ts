import { isCommonWord } from '../common-words.js';
import type { RecognizedWord } from '../engine.js';
import {
  type MarkedWord,
  splitOffSurroundingMarks,
  TermPart,
  TermCandidateIndex,
  writeBetweenMarks,
} from '../term-marks.js';

/** A name is rarely misrecognized as more words than this. */
const MAX_REPLACED_WORDS = 4;
/** The two searches report the start of a word up to this much apart. */
const START_TOLERANCE_SECONDS = 0.1;

/**
 * Takes only terms from the search that was biased to them: it loses other words, sometimes nearly all. A term replaces what
 * was recognized without the bias at the same time, if there was something; a common word alone is never replaced.
 * @param unbiased words without bias @param biased words of the same audio with the bias
 * @param terms as the caller wrote them
 */
export function mergeBiasedTermsIntoUnbiasedWords(
  unbiased: readonly RecognizedWord[],
  biased: readonly RecognizedWord[],
  terms: readonly string[],
): RecognizedWord[] {
  const corrected: RecognizedWord[] = [];
  let reached = 0;
  for (const { from, to, parts } of findTerms(biased, terms)) {
    const [first, last] = findWordsAt(unbiased, biased, from, to);
    const replaced = unbiased.slice(first, last);
    if (first < reached || !isReplaceable(replaced)) continue;
    corrected.push(...unbiased.slice(reached, first), ...writeTerm(biased.slice(from, to), parts, replaced));
    reached = last;
  }
  return restoreTermSpelling([...corrected, ...unbiased.slice(reached)], terms);
}

/** Writes recognized terms as the caller does. Ignores case, keeps surrounding punctuation, and leaves common words alone. */
export function restoreTermSpelling(
  words: readonly RecognizedWord[],
  terms: readonly string[],
): RecognizedWord[] {
  const restored = words.map((word) => ({ ...word }));
  for (const { from, parts, found } of findTerms(words, terms)) {
    if (found.every(({ core }) => isCommonWord(core))) continue;
    for (const [index, { before, after }] of found.entries()) {
      const word = restored[from + index];
      if (word) word.text = before + (parts[index] ?? '') + after;
    }
  }
  return restored;
}

interface TermOccurrence {
  /** Indices of words; `to` is exclusive. */
  from: number;
  to: number;
  /** The words of the term. */
  parts: string[];
  /** The recognized words. */
  found: MarkedWord[];
}

function findTerms(words: readonly RecognizedWord[], terms: readonly string[]): TermOccurrence[] {
  const written = terms
    .map((term) => term.trim().split(/\s+/))
    .filter((parts) => parts.every((part) => /[\p{L}\p{N}]/u.test(part)))
    .map((parts) => parts.map((part) => new TermPart(part)))
    // A term may begin with a shorter one.
    .toSorted((a, b) => b.length - a.length);
  const byFirstPart = new TermCandidateIndex(written);
  const occurrences: TermOccurrence[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (const term of byFirstPart.listCandidates(words[at]?.text ?? '')) {
      const found = matchTerm(words, at, term);
      if (!found) continue;
      const to = at + term.length;
      occurrences.push({ from: at, to, parts: term.map(({ text }) => text), found });
      at = to - 1;
      break;
    }
  }
  return occurrences;
}

function matchTerm(
  words: readonly RecognizedWord[],
  at: number,
  term: readonly TermPart[],
): MarkedWord[] | null {
  const found: MarkedWord[] = [];
  for (const [index, part] of term.entries()) {
    const match = part.match(words[at + index]?.text ?? '');
    if (!match) return null;
    found.push(match);
  }
  return found;
}

/** Indices of the words without bias that start within the time of a term. */
function findWordsAt(
  unbiased: readonly RecognizedWord[],
  biased: readonly RecognizedWord[],
  from: number,
  to: number,
): [number, number] {
  const [start, lastStart] = [biased[from]?.start ?? 0, biased[to - 1]?.start ?? 0];
  const [before, after] = [biased[from - 1]?.start ?? -Infinity, biased[to]?.start ?? Infinity];
  const low = start - Math.min(START_TOLERANCE_SECONDS, (start - before) / 2);
  const high = Math.min(
    (biased[to - 1]?.end ?? lastStart) + START_TOLERANCE_SECONDS,
    after - Math.min(START_TOLERANCE_SECONDS, (after - lastStart) / 2),
  );
  const first = unbiased.findIndex((word) => word.start >= low);
  const last = unbiased.findIndex((word) => word.start >= high);
  return [first < 0 ? unbiased.length : first, last < 0 ? unbiased.length : last];
}

function isReplaceable(words: readonly RecognizedWord[]): boolean {
  if (words.length === 0 || words.length > MAX_REPLACED_WORDS) return false;
  return words.length > 1 || !isCommonWord(splitOffSurroundingMarks(words[0]?.text ?? '').core);
}

/** The term gets the marks of the words that it replaces. */
function writeTerm(
  biased: readonly RecognizedWord[],
  parts: readonly string[],
  replaced: readonly RecognizedWord[],
): RecognizedWord[] {
  const { before } = splitOffSurroundingMarks(replaced[0]?.text ?? '');
  const { after } = splitOffSurroundingMarks(replaced.at(-1)?.text ?? '');
  return biased.map((word, index) => ({
    ...word,
    text: writeBetweenMarks(
      index === 0 ? before : '',
      parts[index] ?? word.text,
      index === biased.length - 1 ? after : '',
    ),
  }));
}
