import { joinWords } from '../text/join-words.js';
import type { TimelineWord } from './timeline.js';

export interface RepetitionLoop {
  phrase: string;
  /** Includes the occurrence that is kept. */
  repetitions: number;
  lastKeptWord: TimelineWord;
  /** The dropped part, in seconds from the start of the file. */
  start: number;
  end: number;
}

/** People say "no no no no" and sing refrains: the minimum of repetitions is well above that. */
const MAX_PHRASE_WORDS = 12;
const minRepeats = (length: number): number => (length === 1 ? 16 : length <= 3 ? 10 : 6);
/** Repetitions across chunks may be a refrain or an exercise, so they need this many times more. */
const ACROSS_CHUNKS_FACTOR = 2;

interface ComparableWord {
  word: TimelineWord;
  /** Lower case, without punctuation. */
  key: string;
}

/** Within one chunk or across several. */
export function dropRepetitionLoops(words: readonly TimelineWord[]): {
  words: TimelineWord[];
  loops: RepetitionLoop[];
} {
  const loops: RepetitionLoop[] = [];
  let remaining: ComparableWord[] = words.map((word) => ({ word, key: normalizeForComparison(word.text) }));
  for (let length = 1; length <= MAX_PHRASE_WORDS; length += 1)
    remaining = dropRepeatedPhrases(remaining, length, loops);
  return { words: remaining.map(({ word }) => word), loops: loops.sort((a, b) => a.start - b.start) };
}

function dropRepeatedPhrases(
  sequence: ComparableWord[],
  length: number,
  loops: RepetitionLoop[],
): ComparableWord[] {
  const dropped = new Set<number>();
  for (let from = 0; from + length < sequence.length; from += 1) {
    const run = countRepeatedWords(sequence, from, length);
    const times = Math.floor(run / length) + 1;
    if (isLoop(sequence.slice(from, from + run + length), length)) {
      const end = from + times * length;
      for (let index = from + length; index < end; index += 1) dropped.add(index);
      loops.push(toLoop(sequence.slice(from, end), length, times));
    }
    from += run;
  }
  return dropped.size === 0 ? sequence : sequence.filter((_, index) => !dropped.has(index));
}

/** @param repeating repetitions of a phrase of `length` words */
function isLoop(repeating: readonly ComparableWord[], length: number): boolean {
  const fewest = minRepeats(length);
  if (repeating.length < fewest * length) return false;
  if (repeating.length >= ACROSS_CHUNKS_FACTOR * fewest * length) return true;
  const inChunk = new Map<number, number>();
  for (const { word } of repeating) inChunk.set(word.chunk, (inChunk.get(word.chunk) ?? 0) + 1);
  return Math.max(...inChunk.values()) >= fewest * length;
}

function countRepeatedWords(sequence: readonly ComparableWord[], from: number, length: number): number {
  let run = 0;
  for (;;) {
    const word = sequence[from + run];
    const repeated = sequence[from + run + length];
    if (!word || !repeated || word.key !== repeated.key) return run;
    run += 1;
  }
}

function toLoop(loop: readonly ComparableWord[], length: number, times: number): RepetitionLoop {
  const kept = loop[length - 1]?.word;
  const end = loop.at(-1)?.word.end;
  if (!kept || end === undefined) throw new RangeError('A loop has at least two words.');
  const phrase = loop.slice(0, length).map(({ word }) => word);
  return { phrase: joinWords(phrase), repetitions: times, lastKeptWord: kept, start: kept.end, end };
}

function normalizeForComparison(text: string): string {
  const bare = text.toLowerCase().replace(/[\p{P}\p{S}]/gu, '');
  return bare === '' ? text : bare;
}
