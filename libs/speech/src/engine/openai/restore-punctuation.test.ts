import { expect, it } from 'vitest';
import { restorePunctuation } from './restore-punctuation.js';

/** @returns the words with what the text has between them */
function restore(text: string, words: string): string[] {
  const listed = words.split(' ').map((word, index) => ({
    ...{ text: word, start: index, end: index + 1, confidence: null },
  }));
  return restorePunctuation(listed, text).map((word) => word.text);
}

it.each<[string, string, string[]]>([
  ['Well-known, isn’t it?', 'Well known isn’t it', ['Well-known,', 'isn’t', 'it?']],
  ['Yes – no.', 'Yes no', ['Yes', 'no.']],
  ['Das sind 50 % der Leute.', 'Das sind 50 der Leute', ['Das', 'sind', '50 %', 'der', 'Leute.']],
  ['2 + 2 = 4.', '2 2 4', ['2 +', '2 =', '4.']],
  ['Nach § 5 gilt es.', 'Nach 5 gilt es', ['Nach §', '5', 'gilt', 'es.']],
  ['$ 5 and R & D (new)', '5 and R D new', ['$ 5', 'and', 'R &', 'D', '(new)']],
  ['It rose by 20 %.', 'It rose by 20', ['It', 'rose', 'by', '20 %.']],
])('“%s” keeps its marks and symbols', (text, words, expected) => {
  expect(restore(text, words)).toEqual(expected);
});
