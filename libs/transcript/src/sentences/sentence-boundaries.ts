import { endsWithSentenceMark } from '../text/ends-with-sentence-mark.js';
import { DEFAULT_SENTENCE_PAUSE_SECONDS } from './sentence-pause.js';
import { computeSentencePauseFactor } from './english-sentence-ends.js';
import { AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBJECT_WORDS, toLookupSpelling } from './english-words.js';
import type { PunctuationMark } from './punctuation-marks.js';

/** Seconds from the start of the file. */
export interface SentenceWord {
  text: string;
  start: number;
  end: number;
  language: string | null;
}

/** A longer pause always ends a sentence. */
const LONG_PAUSE_SECONDS = 2;
/** Longer sentences are split at their widest pause. */
const MAX_SENTENCE_WORDS = 40;
const MIN_SPLIT_PAUSE_SECONDS = 0.08;
const MIN_PART_WORDS = 4;
const INITIAL = /^["'“(]*\p{L}\.$/u;
/** After a shorter one, a single letter may be the initial of a name. */
const MIN_PAUSE_AFTER_LETTER_SECONDS = 0.3;
/** No name begins with them. */
const NO_NAMES = [SUBJECT_WORDS, DETERMINERS, PREPOSITIONS, AUXILIARIES];
/** In Japanese, the sentence goes on after what was quoted. */
const QUOTE_END = /[」』]$/u;
const QUOTING_PARTICLE = /^(と|って)/u;
const ABBREVIATION = /^["'“(]*(mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|a\.m|p\.m|\p{L}(\.\p{L})+)\.$/iu;

/** Indices at which an utterance begins, without 0. */
export function findPauseBreaks(words: readonly SentenceWord[]): number[] {
  return indicesWhere(words, (_, __, pause) => pause > DEFAULT_SENTENCE_PAUSE_SECONDS);
}

/**
 * Indices at which a sentence begins.
 * @param usual seconds of silence that end a sentence of this speaker if the words are not decisive
 */
export function findPauseBreaksWeighedByWords(
  words: readonly SentenceWord[],
  usual: number = DEFAULT_SENTENCE_PAUSE_SECONDS,
): number[] {
  const needed = createPauseFactor(words);
  let from = 0;
  const breaks = indicesWhere(words, (_, __, pause, index) => {
    const ends = pause > Math.min(LONG_PAUSE_SECONDS, needed(from, index) * usual);
    if (ends) from = index;
    return ends;
  });
  return splitLongSentences(words, breaks);
}

export function findEngineMarkBreaks(words: readonly SentenceWord[]): number[] {
  const breaks = indicesWhere(
    words,
    (before, after, pause) => pause > LONG_PAUSE_SECONDS || endsSentence(before, after),
  );
  return splitLongSentences(words, breaks);
}

export function findModelMarkBreaks(
  words: readonly (SentenceWord & { mark?: PunctuationMark | null })[],
): number[] {
  const breaks = indicesWhere(
    words,
    ({ mark }, _, pause) => pause > LONG_PAUSE_SECONDS || mark === '.' || mark === '?',
  );
  return splitLongSentences(words, breaks);
}

function endsSentence(before: SentenceWord, after: SentenceWord): boolean {
  if (!endsWithSentenceMark(before.text) || ABBREVIATION.test(before.text)) return false;
  if (QUOTE_END.test(before.text) && QUOTING_PARTICLE.test(after.text)) return false;
  return !/^\p{Ll}/u.test(after.text) && !(INITIAL.test(before.text) && isPartOfName(before, after));
}

/** “J. Smith”, unlike “plan B. We”. */
function isPartOfName(initial: SentenceWord, after: SentenceWord): boolean {
  const word = toLookupSpelling(after.text);
  const isOpening = after.language?.startsWith('en') === true && NO_NAMES.some((words) => words.has(word));
  return after.start - initial.end < MIN_PAUSE_AFTER_LETTER_SECONDS && !isOpening;
}

function indicesWhere<W extends SentenceWord>(
  words: readonly W[],
  isBreak: (before: W, after: W, pause: number, index: number) => boolean,
): number[] {
  const breaks: number[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const before = words[index - 1];
    const after = words[index];
    if (before && after && isBreak(before, after, after.start - before.end, index)) breaks.push(index);
  }
  return breaks;
}

function splitLongSentences(words: readonly SentenceWord[], breaks: readonly number[]): number[] {
  const all: number[] = [];
  const pending = [...breaks, words.length]
    .map((end, at): [number, number] => [breaks[at - 1] ?? 0, end])
    .reverse();
  for (let span = pending.pop(); span; span = pending.pop()) {
    const [from, to] = span;
    const split = to - from > MAX_SENTENCE_WORDS ? findSplit(words, from, to) : null;
    if (split !== null) pending.push([split, to], [from, split]);
    else if (to < words.length) all.push(to);
  }
  return all;
}

/** @returns null if the words have no pause */
function findSplit(words: readonly SentenceWord[], from: number, to: number): number | null {
  for (let at = from; to - at > MIN_PART_WORDS; at += MAX_SENTENCE_WORDS - MIN_PART_WORDS) {
    const split = findWidestPause(words, at, to);
    if (split !== null) return split;
  }
  return null;
}

/** Searches a window, so that the time stays linear for a long monologue. */
function findWidestPause(words: readonly SentenceWord[], from: number, to: number): number | null {
  const last = Math.min(to - MIN_PART_WORDS, from + MAX_SENTENCE_WORDS);
  const window = words.slice(from, last + 1);
  const needed = createPauseFactor(window);
  let best: number | null = null;
  let widest = MIN_SPLIT_PAUSE_SECONDS;
  for (let index = MIN_PART_WORDS; index < window.length; index += 1) {
    const pause = ((window[index]?.start ?? 0) - (window[index - 1]?.end ?? 0)) / needed(0, index);
    if (pause < widest) continue;
    widest = pause;
    best = from + index;
  }
  return best;
}

/** Factor of the usual pause; a sentence begins at `from`, the next one at `index`. */
function createPauseFactor(words: readonly SentenceWord[]): (from: number, index: number) => number {
  const plain = words.map(({ text }) => toLookupSpelling(text));
  return (from, index) =>
    words[index - 1]?.language?.startsWith('en') === true
      ? computeSentencePauseFactor(plain, from, index)
      : 1;
}
