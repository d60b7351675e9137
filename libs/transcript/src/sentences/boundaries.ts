import { endsWithMark } from '../text/sentence-end.js';
import { LEANS_FORWARD } from './english-words.js';
import type { Mark } from './marks.js';

/** What the sentence breaker looks at. Seconds on the file's clock. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
  language: string | null;
}

/** Seconds of silence that end an utterance, and those that end it whatever the words say. */
const PAUSE = 0.6;
const LONG_PAUSE = 2;
/** More words than this without an end are cut at their widest pause, if it is one. */
const LONGEST = 40;
const CUT_PAUSE = 0.15;
const SHORTEST_PART = 4;
const ABBREVIATION = /^["'“(]*(\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|a\.m|p\.m|\p{L}(\.\p{L})+)\.$/iu;

/** Indices at which a new utterance begins, by pauses alone. 0 is not among them. */
export function breaksAtPauses(words: readonly SpokenWord[]): number[] {
  return indicesWhere(words, (_, __, pause) => pause > PAUSE);
}

/** Indices at which a new sentence begins, in words that carry no marks. */
export function breaksByEar(words: readonly SpokenWord[]): number[] {
  const breaks = indicesWhere(words, (before, _, pause) => {
    const leans = before.language?.startsWith('en') === true && LEANS_FORWARD.has(before.text.toLowerCase());
    return pause > (leans ? LONG_PAUSE : PAUSE);
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
  isBreak: (before: W, after: W, pause: number) => boolean,
): number[] {
  const breaks: number[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const before = words[index - 1];
    const after = words[index];
    if (before && after && isBreak(before, after, after.start - before.end)) breaks.push(index);
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
  let best: number | null = null;
  let widest = CUT_PAUSE;
  const last = Math.min(to - SHORTEST_PART, from + LONGEST);
  for (let index = from + SHORTEST_PART; index <= last; index += 1) {
    const before = words[index - 1];
    const pause = (words[index]?.start ?? 0) - (before?.end ?? 0);
    if (before && pause >= widest && !LEANS_FORWARD.has(before.text.toLowerCase())) {
      widest = pause;
      best = index;
    }
  }
  return best;
}
