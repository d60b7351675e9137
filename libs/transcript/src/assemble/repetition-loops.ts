import type { TimelineWord } from './timeline.js';

/** A phrase that an engine kept repeating; the first time is kept. */
export interface RepetitionLoop {
  phrase: string;
  /** How often in a row it was heard, the kept time included. */
  times: number;
  /** The last word that was kept. */
  kept: TimelineWord;
  /** Seconds on the file's clock, of what was dropped. */
  start: number;
  end: number;
}

/**
 * Repeats in a row, by length of the phrase in words, from which on no person is speaking.
 * People do say "no no no no" and sing refrains: the figures lie well above that.
 */
const MAX_PHRASE_WORDS = 12;
const minRepeats = (length: number): number => (length === 1 ? 16 : length <= 3 ? 10 : 6);
/**
 * An engine hears chunk by chunk and is caught in one of them. Over several there is a refrain, or an exercise that is
 * called out for minutes: so many times more repeats are needed where no single chunk has enough.
 */
const ACROSS_CHUNKS_FACTOR = 2;

interface ComparableWord {
  word: TimelineWord;
  /** The word without case and marks. */
  key: string;
}

/** Drops what an engine repeats when it is caught in a loop: in one chunk, from there into the next, or in a row of them. */
export function dropRepetitionLoops(words: readonly TimelineWord[]): {
  words: TimelineWord[];
  loops: RepetitionLoop[];
} {
  const loops: RepetitionLoop[] = [];
  let kept: ComparableWord[] = words.map((word) => ({ word, key: normalizeForComparison(word.text) }));
  for (let length = 1; length <= MAX_PHRASE_WORDS; length += 1)
    kept = dropRepeatedPhrases(kept, length, loops);
  return { words: kept.map(({ word }) => word), loops: loops.sort((a, b) => a.start - b.start) };
}

function dropRepeatedPhrases(
  heard: ComparableWord[],
  length: number,
  loops: RepetitionLoop[],
): ComparableWord[] {
  const dropped = new Set<number>();
  for (let from = 0; from + length < heard.length; from += 1) {
    const run = countRepeatedWords(heard, from, length);
    const times = Math.floor(run / length) + 1;
    if (isLoop(heard.slice(from, from + run + length), length)) {
      const end = from + times * length;
      for (let index = from + length; index < end; index += 1) dropped.add(index);
      loops.push(toLoop(heard.slice(from, end), length, times));
    }
    from += run;
  }
  return dropped.size === 0 ? heard : heard.filter((_, index) => !dropped.has(index));
}

/** @param repeating what says the same again and again, `length` words at a time */
function isLoop(repeating: readonly ComparableWord[], length: number): boolean {
  const fewest = minRepeats(length);
  if (repeating.length < fewest * length) return false;
  if (repeating.length >= ACROSS_CHUNKS_FACTOR * fewest * length) return true;
  const inChunk = new Map<number, number>();
  for (const { word } of repeating) inChunk.set(word.chunk, (inChunk.get(word.chunk) ?? 0) + 1);
  return Math.max(...inChunk.values()) >= fewest * length;
}

/** How many words from here on say the same as the word `length` places later. */
function countRepeatedWords(heard: readonly ComparableWord[], from: number, length: number): number {
  let run = 0;
  for (;;) {
    const here = heard[from + run];
    const there = heard[from + run + length];
    if (!here || !there || here.key !== there.key) return run;
    run += 1;
  }
}

function toLoop(loop: readonly ComparableWord[], length: number, times: number): RepetitionLoop {
  const kept = loop[length - 1]?.word;
  const end = loop.at(-1)?.word.end;
  if (!kept || end === undefined) throw new RangeError('A loop has at least two words.');
  const phrase = loop.slice(0, length).map(({ word }) => word.text);
  return { phrase: phrase.join(' '), times, kept, start: kept.end, end };
}

function normalizeForComparison(text: string): string {
  const bare = text.toLowerCase().replace(/[\p{P}\p{S}]/gu, '');
  return bare === '' ? text : bare;
}
