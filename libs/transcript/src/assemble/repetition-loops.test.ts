import { describe, expect, it } from 'vitest';
import { buildChunk, wordsFromLine } from '../testing/samples.js';
import { dropRepetitionLoops } from './repetition-loops.js';
import { mergeChunksIntoTimeline } from './timeline.js';

const wordsOf = (line: string) => mergeChunksIntoTimeline([buildChunk(wordsFromLine(line))], 600).words;
const kept = (line: string) =>
  dropRepetitionLoops(wordsOf(line))
    .words.map(({ text }) => text)
    .join(' ');

describe('dropRepetitionLoops', () => {
  it('keeps the first occurrence of an endlessly repeated phrase', () => {
    const { words, loops } = dropRepetitionLoops(wordsOf(`well ${'thank you '.repeat(30)}goodbye`));
    expect(words.map(({ text }) => text)).toEqual(['well', 'thank', 'you', 'goodbye']);
    expect(loops).toMatchObject([{ phrase: 'thank you', repetitions: 30 }]);
    expect(loops[0]?.lastKeptWord.text).toBe('you');
  });

  it('quotes a phrase as it is written', () => {
    const { loops } = dropRepetitionLoops(wordsOf('ご視聴 ありがとう '.repeat(30)));
    expect(loops).toMatchObject([{ phrase: 'ご視聴ありがとう', repetitions: 30 }]);
  });

  it('ignores case and punctuation', () => {
    expect(kept(`${'Okay. okay, '.repeat(12)}done`)).toBe('Okay. done');
  });

  it('finds longer phrases and several loops in one text', () => {
    const phrase = 'i will see you in the next video ';
    expect(kept(`a ${phrase.repeat(7)}b ${'so '.repeat(20)}c`)).toBe(`a ${phrase}b so c`);
  });

  it('keeps natural repetitions', () => {
    const lines = [
      'no no no no no no no no',
      'ha '.repeat(12).trim(),
      'na na na na na na na na hey hey hey goodbye '.repeat(4).trim(),
      'we shall overcome '.repeat(5).trim(),
      'zero zero zero zero zero zero one',
    ];
    for (const line of lines) expect(kept(line)).toBe(line);
  });

  it('keeps lists of numbers and counting', () => {
    const lines = [
      'five five five zero one one one one two three',
      'one two three '.repeat(9).trim(),
      'left right left right left right left right',
      'twenty one twenty two twenty three twenty four twenty five twenty six twenty seven twenty eight',
    ];
    for (const line of lines) expect(kept(line)).toBe(line);
  });

  describe('across chunks', () => {
    const heardIn = (...lines: string[]) =>
      mergeChunksIntoTimeline(
        lines.map((line, index) =>
          buildChunk(wordsFromLine(line), { index, start: index * 30, end: index * 30 + 30 }),
        ),
        600,
      ).words;
    const keptOf = (...lines: string[]) =>
      dropRepetitionLoops(heardIn(...lines))
        .words.map(({ text }) => text)
        .join(' ');

    it('finds a phrase that each of many chunks contains once', () => {
      expect(keptOf('good morning', ...Array<string>(19).fill('thank you'), 'goodbye')).toMatch(/you thank/);
      expect(keptOf('good morning', ...Array<string>(20).fill('thank you'), 'goodbye')).toBe(
        'good morning thank you goodbye',
      );
    });

    it('follows a loop into the next chunk', () => {
      const { words, loops } = dropRepetitionLoops(
        heardIn(`so ${'bye '.repeat(16)}`, `${'bye '.repeat(5)}then`),
      );
      expect(words.map(({ text }) => text)).toEqual(['so', 'bye', 'then']);
      expect(loops).toMatchObject([{ phrase: 'bye', repetitions: 21 }]);
    });

    it('keeps refrains and exercises that are called out for minutes', () => {
      expect(
        dropRepetitionLoops(heardIn('la '.repeat(8), 'la '.repeat(8), 'la '.repeat(8))).words,
      ).toHaveLength(24);
      const breathe = Array<string>(10).fill('breathe in breathe out');
      expect(keptOf(...breathe)).toBe(breathe.join(' '));
    });
  });
});
