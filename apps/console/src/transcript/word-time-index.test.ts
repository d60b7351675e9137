import { describe, expect, it } from 'vitest';
import type { TranscriptSegment } from './transcript-document.ts';
import {
  buildWordTimeIndex,
  findSegmentIndexAtOrBeforeTime,
  findWordIndexAtTime,
} from './word-time-index.ts';

const word = (text: string, start: number, end: number) => ({ word: text, start, end, confidence: null });
const segment = (id: number, words: TranscriptSegment['words'], start = id * 10): TranscriptSegment => ({
  id,
  start,
  end: start + 5,
  text: '',
  language: null,
  speaker: null,
  words,
});

const SEGMENTS = [
  segment(0, [word('a', 0.5, 1), word('b', 1, 1.4)]),
  segment(1, null),
  segment(2, [word('c', 20, 21)]),
];

describe('findWordAt', () => {
  const index = buildWordTimeIndex(SEGMENTS);

  it.each([
    [0, null],
    [0.5, 0],
    [0.99, 0],
    [1, 1],
    [1.4, null],
    [20.5, 2],
    [21, null],
  ])('at %s s is word %s', (seconds, expected) => {
    expect(findWordIndexAtTime(index, seconds)).toBe(expected);
  });

  it('knows the segment of each word, and the words of each segment', () => {
    const segmentOfWord = [...SEGMENTS.keys()].flatMap((at) =>
      Array<number>((index.firstWords[at + 1] ?? 0) - (index.firstWords[at] ?? 0)).fill(at),
    );
    expect(segmentOfWord).toEqual([0, 0, 2]);
    expect([...index.firstWords]).toEqual([0, 2, 2, 3]);
  });

  it('finds what a linear search finds, in 100,000 words', () => {
    const words = Array.from({ length: 100_000 }, (_, at) => word('w', at * 0.4, at * 0.4 + 0.3));
    const large = buildWordTimeIndex([segment(0, words)]);
    for (let seconds = 0.05; seconds < 40_000; seconds += 397.3) {
      const expected = words.findIndex(({ start, end }) => start <= seconds && seconds < end);
      expect(findWordIndexAtTime(large, seconds)).toBe(expected === -1 ? null : expected);
    }
  });
});

describe('findSegmentIndexAtOrBeforeTime', () => {
  it.each([
    [-1, null],
    [0, 0],
    [9, 0],
    [10, 1],
    [99, 2],
  ])('at %s s is segment %s', (seconds, expected) => {
    expect(findSegmentIndexAtOrBeforeTime(buildWordTimeIndex(SEGMENTS), seconds)).toBe(expected);
  });
});

describe('two channels whose people speak at once', () => {
  /** Words of half a second, as long as their segment. */
  const speak = (id: number, start: number, end: number): TranscriptSegment => ({
    ...segment(
      id,
      Array.from({ length: Math.round((end - start) / 0.6) }, (_, at) =>
        word('w', start + at * 0.6, start + at * 0.6 + 0.5),
      ),
    ),
    start,
    end,
  });
  const segments = [
    speak(0, 0, 30),
    speak(1, 4.1, 6.5),
    speak(2, 10.3, 12.7),
    speak(3, 25, 40),
    speak(4, 20, 21.2),
  ];
  const words = segments.flatMap((each) => each.words ?? []);
  const index = buildWordTimeIndex(segments);
  /** Of those that sound, the one that began last. */
  const findSlowly = (spans: readonly { start: number; end: number }[], seconds: number): number | null => {
    const sounding = [...spans.entries()].filter(([, { start, end }]) => start <= seconds && seconds < end);
    const latest = sounding.toSorted(([a, { start }], [b, other]) => start - other.start || a - b).at(-1);
    return latest?.[0] ?? null;
  };

  it('have the word that began last of those that sound', () => {
    for (let seconds = 0; seconds < 41; seconds += 0.05)
      expect(findWordIndexAtTime(index, seconds), String(seconds)).toBe(findSlowly(words, seconds));
  });

  it('have the segment that began last of those that sound', () => {
    for (let seconds = 0; seconds < 40; seconds += 0.05)
      expect(findSegmentIndexAtOrBeforeTime(index, seconds), String(seconds)).toBe(
        findSlowly(segments, seconds),
      );
    expect(findSegmentIndexAtOrBeforeTime(index, 41)).toBe(3);
  });
});
