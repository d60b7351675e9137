import { describe, expect, it } from 'vitest';
import { chunkOf, speak } from '../testing/samples.js';
import { dropLoops } from './loops.js';
import { mergeChunks } from './timeline.js';

const heard = (line: string) => mergeChunks([chunkOf(speak(line))], 600).words;
const kept = (line: string) =>
  dropLoops(heard(line))
    .words.map(({ text }) => text)
    .join(' ');

describe('dropLoops', () => {
  it('keeps the first of a phrase that repeats without end', () => {
    const { words, loops } = dropLoops(heard(`well ${'thank you '.repeat(30)}goodbye`));
    expect(words.map(({ text }) => text)).toEqual(['well', 'thank', 'you', 'goodbye']);
    expect(loops).toMatchObject([{ phrase: 'thank you', times: 30 }]);
    expect(loops[0]?.kept.text).toBe('you');
  });

  it('sees through case and marks', () => {
    expect(kept(`${'Okay. okay, '.repeat(12)}done`)).toBe('Okay. done');
  });

  it('finds longer phrases, and several loops in one text', () => {
    const phrase = 'i will see you in the next video ';
    expect(kept(`a ${phrase.repeat(7)}b ${'so '.repeat(20)}c`)).toBe(`a ${phrase}b so c`);
  });

  it('leaves what people say', () => {
    const lines = [
      'no no no no no no no no',
      'ha '.repeat(12).trim(),
      'na na na na na na na na hey hey hey goodbye '.repeat(4).trim(),
      'we shall overcome '.repeat(5).trim(),
      'zero zero zero zero zero zero one',
    ];
    for (const line of lines) expect(kept(line)).toBe(line);
  });

  it('leaves lists of numbers, and what is counted out', () => {
    const lines = [
      'five five five zero one one one one two three',
      'one two three '.repeat(9).trim(),
      'left right left right left right left right',
      'twenty one twenty two twenty three twenty four twenty five twenty six twenty seven twenty eight',
    ];
    for (const line of lines) expect(kept(line)).toBe(line);
  });

  describe('over several chunks', () => {
    const heardIn = (...lines: string[]) =>
      mergeChunks(
        lines.map((line, index) => chunkOf(speak(line), { index, start: index * 30, end: index * 30 + 30 })),
        600,
      ).words;
    const keptOf = (...lines: string[]) =>
      dropLoops(heardIn(...lines))
        .words.map(({ text }) => text)
        .join(' ');

    it('finds what every chunk of a long row says once', () => {
      expect(keptOf('good morning', ...Array<string>(19).fill('thank you'), 'goodbye')).toMatch(/you thank/);
      expect(keptOf('good morning', ...Array<string>(20).fill('thank you'), 'goodbye')).toBe(
        'good morning thank you goodbye',
      );
    });

    it('follows a loop into the next chunk', () => {
      const { words, loops } = dropLoops(heardIn(`so ${'bye '.repeat(16)}`, `${'bye '.repeat(5)}then`));
      expect(words.map(({ text }) => text)).toEqual(['so', 'bye', 'then']);
      expect(loops).toMatchObject([{ phrase: 'bye', times: 21 }]);
    });

    it('leaves refrains and what is called out for minutes', () => {
      expect(dropLoops(heardIn('la '.repeat(8), 'la '.repeat(8), 'la '.repeat(8))).words).toHaveLength(24);
      const breathe = Array<string>(10).fill('breathe in breathe out');
      expect(keptOf(...breathe)).toBe(breathe.join(' '));
    });
  });
});
