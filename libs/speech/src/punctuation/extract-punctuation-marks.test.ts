import { describe, expect, it } from 'vitest';
import { extractPunctuationMarks } from './extract-punctuation-marks.js';
import { PunctuatedTextMismatchError } from './punctuation-mark-predictor.js';

const align = (words: string, text: string) => extractPunctuationMarks(words.split(' '), text);

describe('extractPunctuationMarks', () => {
  it.each([
    ['how are you i am fine', 'how are you？i am fine。', [null, null, '?', null, null, '.']],
    ['well yes', 'well，yes。', [',', '.']],
    ['你 好 吗', '你好吗？', [null, null, '?']],
    ['你好 吗 ok', '你，好吗、ok', [null, '、', null]],
    ['café au lait', 'caf é au lait。', [null, null, '.']],
    ['it costs 3.50 in u.s. money', 'it costs 3.50 in u.s.，money。', [null, null, null, null, ',', '.']],
    ['end .net', 'end .net。', [null, '.']],
    ['end', 'end', [null]],
    ['how are you anna', 'How are you? ANNA.', [null, null, '?', '.']],
  ])('extracts the marks of “%s” from “%s”', (words, text, marks) => {
    expect(align(words, text)).toEqual(marks);
  });

  it('an empty text has no marks', () => {
    expect(extractPunctuationMarks([], '。')).toEqual([]);
  });

  it.each(['how are', 'how are yon。', 'how are you。me', ''])(
    'rejects the changed words of “%s”',
    (text) => {
      expect(() => align('how are you', text)).toThrow(PunctuatedTextMismatchError);
    },
  );
});
