import { describe, expect, it } from 'vitest';
import { normalizeText } from './normalize-text.js';

describe('normalizeText', () => {
  it.each([
    ['Good morning. Is THIS it?', 'good morning is this it'],
    ['  two\n\nlines\tand  blanks ', 'two lines and blanks'],
    ["Don't wait until five o\u2019clock!", "don't wait until five o'clock"],
    ["'quoted' and the trees' leaves", 'quoted and the trees leaves'],
    ['cold-hearted \u2014 rather', 'cold hearted rather'],
    ['21 degrees, {a / b} <s> @ %hes', '21 degrees a b s hes'],
    [
      'Cafe\u0301 \u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439',
      'caf\u00e9 \u0437\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439',
    ],
    ['... !', ''],
  ])('%j becomes %j', (text, expected) => {
    expect(normalizeText(text)).toBe(expected);
  });

  it('a normalized text stays unchanged', () => {
    const once = normalizeText("It's \u201clate\u201d \u2014 isn't it?");
    expect(normalizeText(once)).toBe(once);
  });
});
