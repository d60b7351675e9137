import { describe, expect, it } from 'vitest';
import { punctuateSentence } from './punctuate-sentence.js';

/** `_` marks a short silence before the word that follows, `__` a longer one. */
function mark(line: string, language: string | null = 'en'): string {
  const words: string[] = [];
  const pauses: number[] = [];
  let pause = 0;
  for (const token of line.split(' ')) {
    if (/^_+$/.test(token)) pause = token.length === 1 ? 0.15 : 0.4;
    else {
      words.push(token);
      pauses.push(pause);
      pause = 0;
    }
  }
  return punctuateSentence({ words, pauses, language }).join(' ');
}

it('a redacted value keeps its mark at the start of a sentence', () => {
  const sentence = { words: ['[phone]', 'is', 'mine'], pauses: [0, 0, 0], language: 'en' };
  expect(punctuateSentence({ ...sentence, redacted: [true, false, false] }).join(' ')).toBe(
    '[phone] is mine.',
  );
});

describe('punctuate with given marks', () => {
  const given = (line: string, language: string | null): string => {
    const words = line.split(' ').map((word) => word.replace(/[,、.?]$/, ''));
    const marks = line.split(' ').map((word) => (/[,、.?]$/.exec(word)?.[0] ?? null) as ',' | null);
    return punctuateSentence({ words, marks, pauses: words.map(() => 0), language }).join(' ');
  };

  it.each([
    ['en', 'well, i know monday', 'Well, I know Monday.'],
    ['en', 'where are you?', 'Where are you?'],
    ['en', 'where are you', 'Where are you.'],
    ['en', 'and then,', 'And then.'],
    ['zh', '是、 不 是,', '是、 不 是。'],
    ['ja', 'はい, どうぞ', 'はい、 どうぞ。'],
    ['ar', 'نعم, هنا', 'نعم، هنا.'],
    ['th', 'ใช่, ครับ.', 'ใช่ ครับ'],
    ['de', 'ja、 und nein?', 'Ja, und nein?'],
    [null, 'so, it goes', 'So, it goes.'],
  ])('writes them as %s does: %s', (language, recognized, written) => {
    expect(given(recognized, language)).toBe(written);
  });

  it('adds none after an existing mark', () => {
    const sentence = { words: ['u.s.', 'soil'], marks: [',' as const, '.' as const], pauses: [0, 0] };
    expect(punctuateSentence({ ...sentence, language: 'de' })).toEqual(['U.s.', 'soil.']);
  });
});

describe('punctuate in English', () => {
  it.each([
    ["i think i'm right and i've said so", "I think I'm right, and I've said so."],
    ['we meet on monday in january', 'We meet on Monday in January.'],
    ['he may march in may or on march third', 'He may march in May or on March third.'],
    ['this may be the last of march', 'This may be the last of March.'],
    ['what do you want', 'What do you want?'],
    ['i use an iPhone at NASA', 'I use an iPhone at NASA.'],
  ])('sets capitals and final marks: %s', (recognized, written) => {
    expect(mark(recognized)).toBe(written);
  });

  it.each([
    ['we wanted to go but it was late', 'We wanted to go, but it was late.'],
    ['it is nothing but the truth', 'It is nothing but the truth.'],
    ['yes i know that', 'Yes, I know that.'],
    ['well done', 'Well done.'],
    ['of course _ we can help', 'Of course, we can help.'],
    ['of course we can help', 'Of course we can help.'],
    ['after the long winter __ spring came at last', 'After the long winter, spring came at last.'],
    ['we walked to the __ river again', 'We walked to the river again.'],
    ['she bought the house _ which was far too big', 'She bought the house, which was far too big.'],
    ['the house in _ which they lived was big', 'The house in which they lived was big.'],
    ["it is the last one isn't it", "It is the last one, isn't it?"],
    [
      'four score and seven years ago __ our fathers came',
      'Four score and seven years ago, our fathers came.',
    ],
  ])('sets commas: %s', (recognized, written) => {
    expect(mark(recognized)).toBe(written);
  });

  it('marks a sentence that was broken off', () => {
    expect(mark('then i went to see the')).toBe('Then I went to see the…');
  });

  it('adds no second mark', () => {
    expect(mark('is it true!')).toBe('Is it true!');
  });
});

describe('punctuate in other languages', () => {
  it.each([
    ['das ist gut', 'de', 'Das ist gut.'],
    ['今日は 雨', 'ja', '今日は 雨。'],
    ['यह अच्छा है', 'hi', 'यह अच्छा है।'],
    ['এটা ভালো', 'bn', 'এটা ভালো।'],
    ['នេះល្អ', 'km', 'នេះល្អ។'],
    ['ကောင်းတယ်', 'my', 'ကောင်းတယ်။'],
    ['ကောင်းတယ်။', 'my', 'ကောင်းတယ်။'],
    ['„das ist gut.“', 'de', '„Das ist gut.“'],
    ['»dat er fint.«', 'da', '»Dat er fint.«'],
    ['نعم،', 'ar', 'نعم،'],
    ['état des lieux', 'fr-FR', 'État des lieux.'],
    ['i do not know', null, 'I do not know.'],
  ])('sets the capital and the full stop of the script: %s', (recognized, language, written) => {
    expect(mark(recognized, language)).toBe(written);
  });

  it('never applies English rules', () => {
    expect(mark('we wanted to go but it was late', 'nl')).toBe('We wanted to go but it was late.');
  });
});
