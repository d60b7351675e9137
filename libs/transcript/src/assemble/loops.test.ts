import { describe, expect, it } from 'vitest';
import { chunkOf, speak } from '../testing/samples.js';
import { dropLoops } from './loops.js';
import { mergeChunks } from './timeline.js';

const heard = (line: string) => mergeChunks([chunkOf(speak(line))], 600);
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

  it('does not count across chunks', () => {
    const chunks = [0, 1, 2].map((index) =>
      chunkOf(speak('la '.repeat(8)), { index, start: index * 30, end: index * 30 + 30 }),
    );
    expect(dropLoops(mergeChunks(chunks, 600)).words).toHaveLength(24);
  });
});
