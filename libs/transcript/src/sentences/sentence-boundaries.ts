import { endsWithSentenceMark } from '../text/ends-with-sentence-mark.js';
import { DEFAULT_SENTENCE_PAUSE_SECONDS } from './sentence-pause.js';
import { sentencePauseFactor } from './english-sentence-ends.js';
import { normalizeWord } from './english-words.js';
import type { PunctuationMark } from './punctuation-marks.js';

/** What the sentence breaker looks at. Seconds on the file's clock. */
export interface TimedWord {
  text: string;
  start: number;
  end: number;
  language: string | null;
}

/** Seconds of silence that end a sentence whatever the words say. */
const LONG_PAUSE_SECONDS = 2;
/** More words than this without an end are cut at their widest pause, if it is one. */
const MAX_SENTENCE_WORDS = 40;
const MIN_SPLIT_PAUSE_SECONDS = 0.08;
const MIN_PART_WORDS = 4;
const ABBREVIATION = /^["'“(]*(\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|a\.m|p\.m|\p{L}(\.\p{L})+)\.$/iu;

/** Indices at which a new utterance begins, by pauses alone. 0 is not among them. */
export function findPauseBreaks(words: readonly TimedWord[]): number[] {
  return indicesWhere(words, (_, __, pause) => pause > DEFAULT_SENTENCE_PAUSE_SECONDS);
}

/**
 * Indices at which a new sentence begins, in words that carry no marks.
 * @param usual seconds of silence that end a sentence of this speaker where the words say nothing
 */
export function findSentenceBreaks(
  words: readonly TimedWord[],
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

/** Indices at which a new sentence begins, in words that carry their engine's marks. */
export function findEngineMarkBreaks(words: readonly TimedWord[]): number[] {
  const breaks = indicesWhere(
    words,
    (before, after, pause) => pause > LONG_PAUSE_SECONDS || endsSentence(before, after),
  );
  return splitLongSentences(words, breaks);
}

/** Indices at which a new sentence begins, where a model has set a mark, or none, after each word. */
export function findModelMarkBreaks(
  words: readonly (TimedWord & { mark?: PunctuationMark | null })[],
): number[] {
  const breaks = indicesWhere(
    words,
    ({ mark }, _, pause) => pause > LONG_PAUSE_SECONDS || mark === '.' || mark === '?',
  );
  return splitLongSentences(words, breaks);
}

function endsSentence(before: TimedWord, after: TimedWord): boolean {
  return endsWithSentenceMark(before.text) && !ABBREVIATION.test(before.text) && !/^\p{Ll}/u.test(after.text);
}

function indicesWhere<W extends TimedWord>(
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

function splitLongSentences(words: readonly TimedWord[], breaks: readonly number[]): number[] {
  const all: number[] = [];
  const pending = [...breaks, words.length]
    .map((end, at): [number, number] => [breaks[at - 1] ?? 0, end])
    .reverse();
  for (let span = pending.pop(); span; span = pending.pop()) {
    const [from, to] = span;
    const cut = to - from > MAX_SENTENCE_WORDS ? findWidestPause(words, from, to) : null;
    if (cut !== null) pending.push([cut, to], [from, cut]);
    else if (to < words.length) all.push(to);
  }
  return all;
}

/** The place within a window to cut at; looking no further than needed keeps a long monologue linear. */
function findWidestPause(words: readonly TimedWord[], from: number, to: number): number | null {
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

/** How much silence ends a sentence, begun at the first index, before the second; in parts of the usual. */
function createPauseFactor(words: readonly TimedWord[]): (from: number, index: number) => number {
  const plain = words.map(({ text }) => normalizeWord(text));
  return (from, index) =>
    words[index - 1]?.language?.startsWith('en') === true ? sentencePauseFactor(plain, from, index) : 1;
}
