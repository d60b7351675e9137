import { endsWithMark } from '../text/sentence-end.js';
import { USUAL_PAUSE } from './ending-pause.js';
import { silenceNeeded } from './english-ends.js';
import { bareWord } from './english-words.js';
import type { Mark } from './marks.js';

/** What the sentence breaker looks at. Seconds on the file's clock. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  language: string | null;
}

/** Seconds of silence that end a sentence whatever the words say. */
const LONG_PAUSE = 2;
/** More words than this without an end are cut at their widest pause, if it is one. */
const LONGEST = 40;
const CUT_PAUSE = 0.08;
const SHORTEST_PART = 4;
const ABBREVIATION = /^["'“(]*(\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|a\.m|p\.m|\p{L}(\.\p{L})+)\.$/iu;

/** Indices at which a new utterance begins, by pauses alone. 0 is not among them. */
export function breaksAtPauses(words: readonly SpokenWord[]): number[] {
  return indicesWhere(words, (_, __, pause) => pause > USUAL_PAUSE);
}

/**
 * Indices at which a new sentence begins, in words that carry no marks.
 * @param usual seconds of silence that end a sentence of this speaker where the words say nothing
 */
export function breaksByEar(words: readonly SpokenWord[], usual: number = USUAL_PAUSE): number[] {
  const needed = silenceBetween(words);
  let from = 0;
  const breaks = indicesWhere(words, (_, __, pause, index) => {
    const ends = pause > Math.min(LONG_PAUSE, needed(from, index) * usual);
    if (ends) from = index;
    return ends;
  });
  return withLongCut(words, breaks);
}

/** Indices at which a new sentence begins, in words that carry their engine's marks. */
export function breaksAtMarks(words: readonly SpokenWord[]): number[] {
  const breaks = indicesWhere(
    words,
    (before, after, pause) => pause > LONG_PAUSE || endsSentence(before, after),
  );
  return withLongCut(words, breaks);
}

/** Indices at which a new sentence begins, where a model has set a mark, or none, after each word. */
export function breaksAtGivenMarks(words: readonly (SpokenWord & { mark?: Mark | null })[]): number[] {
  const breaks = indicesWhere(
    words,
    ({ mark }, _, pause) => pause > LONG_PAUSE || mark === '.' || mark === '?',
  );
  return withLongCut(words, breaks);
}

function endsSentence(before: SpokenWord, after: SpokenWord): boolean {
  return endsWithMark(before.text) && !ABBREVIATION.test(before.text) && !/^\p{Ll}/u.test(after.text);
}

function indicesWhere<W extends SpokenWord>(
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

function withLongCut(words: readonly SpokenWord[], breaks: readonly number[]): number[] {
  const all: number[] = [];
  const pending = [...breaks, words.length]
    .map((end, at): [number, number] => [breaks[at - 1] ?? 0, end])
    .reverse();
  for (let span = pending.pop(); span; span = pending.pop()) {
    const [from, to] = span;
    const cut = to - from > LONGEST ? widestPause(words, from, to) : null;
    if (cut !== null) pending.push([cut, to], [from, cut]);
    else if (to < words.length) all.push(to);
  }
  return all;
}

/** The place within a window to cut at; looking no further than needed keeps a long monologue linear. */
function widestPause(words: readonly SpokenWord[], from: number, to: number): number | null {
  const last = Math.min(to - SHORTEST_PART, from + LONGEST);
  const window = words.slice(from, last + 1);
  const needed = silenceBetween(window);
  let best: number | null = null;
  let widest = CUT_PAUSE;
  for (let index = SHORTEST_PART; index < window.length; index += 1) {
    const pause = ((window[index]?.start ?? 0) - (window[index - 1]?.end ?? 0)) / needed(0, index);
    if (pause < widest) continue;
    widest = pause;
    best = from + index;
  }
  return best;
}

/** How much silence ends a sentence, begun at the first index, before the second; in parts of the usual. */
function silenceBetween(words: readonly SpokenWord[]): (from: number, index: number) => number {
  const plain = words.map(({ text }) => bareWord(text));
  return (from, index) =>
    words[index - 1]?.language?.startsWith('en') === true ? silenceNeeded(plain, from, index) : 1;
}
