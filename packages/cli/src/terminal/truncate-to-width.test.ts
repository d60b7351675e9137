import { describe, expect, it } from 'vitest';
import { truncateToWidth } from './truncate-to-width.js';

describe('a line of a terminal', () => {
  it.each([
    ['talk.mp3', 4, 'talk'],
    ['talk.mp3', 8, 'talk.mp3'],
    ['會議錄音.mp3', 5, '會議'],
    ['회의.mp3', 4, '회의'],
    ['회의.mp3'.normalize('NFD'), 4, '회의'.normalize('NFD')],
    ['ｶﾀｶﾅ', 3, 'ｶﾀｶ'],
    ['ＡＢ', 3, 'Ａ'],
    ['a🎙b', 2, 'a🎙'],
    ['a🎤b', 2, 'a'],
    ['a🎤b', 3, 'a🎤'],
    ['e\u0301te\u0301', 3, 'e\u0301te\u0301'],
    ['❤\uFE0Fa', 2, '❤\uFE0F'],
    ['दो', 1, ''],
    ['abc', 0, ''],
  ])('of %j has in %i cells %j', (text, cells, expected) => {
    expect(truncateToWidth(text, cells)).toBe(expected);
  });
});
