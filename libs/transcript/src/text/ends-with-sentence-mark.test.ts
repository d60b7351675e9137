import { describe, expect, it } from 'vitest';
import { endsWithSentenceMark } from './ends-with-sentence-mark.js';

describe('endsWithSentenceMark', () => {
  it.each([
    'end.',
    'end?”',
    'Ende.“',
    'Ende!«',
    '(end.)',
    '終わり。',
    '終わり。」',
    '（笑い！）',
    '结束。』',
    '结束！”',
    'अंत।',
    'ပြီး။',
    'ចប់។',
    'نهاية؟',
    'ጨረሰ።',
  ])('a sentence ends with %s', (text) => expect(endsWithSentenceMark(text)).toBe(true));

  it.each(['end', 'end,', '“end”', '終わり、', '「終わり」', '终', '3.5'])(
    'no sentence ends with %s',
    (text) => expect(endsWithSentenceMark(text)).toBe(false),
  );
});
