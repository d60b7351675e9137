import { describe, expect, it } from 'vitest';
import { endsWithSentenceMark } from './ends-with-sentence-mark.js';

describe('endsWithSentenceMark', () => {
  it.each(['end.', 'Ende.“', '終わり。」', 'अंत।', 'ပြီး။', 'សុខ។', 'نهاية؟', 'ጨረሰ።'])(
    'a sentence ends with %s',
    (text) => expect(endsWithSentenceMark(text)).toBe(true),
  );

  it.each(['end', 'end,', '“end”', '終わり、'])('no sentence ends with %s', (text) =>
    expect(endsWithSentenceMark(text)).toBe(false),
  );
});
