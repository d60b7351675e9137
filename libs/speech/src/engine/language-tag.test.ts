import { describe, expect, it } from 'vitest';
import { toLanguageTag } from './language-tag.js';

describe('toLanguageTag', () => {
  it.each([
    ['english', 'en'],
    ['English', 'en'],
    [' german ', 'de'],
    ['chinese', 'zh'],
    ['cantonese', 'yue'],
    ['hebrew', 'he'],
    ['indonesian', 'id'],
    ['haitian creole', 'ht'],
    ['maori', 'mi'],
    ['myanmar', 'my'],
    ['tagalog', 'tl'],
    ['norwegian', 'no'],
    ['javanese', 'jv'],
    ['en', 'en'],
    ['EN', 'en'],
    ['pt_BR', 'pt-BR'],
    ['jw', 'jv'],
    ['zh-hant', 'zh-Hant'],
  ])('maps %s to %s', (language, tag) => {
    expect(toLanguageTag(language)).toBe(tag);
  });

  it.each([
    '',
    'unknown',
    'klingonese',
    'und',
    'mul',
    'zxx',
    '<|en|>',
    'auto detected',
    '123',
    ...Object.getOwnPropertyNames(Object.prototype),
    null,
    undefined,
  ])('returns null for %s', (language) => {
    expect(toLanguageTag(language)).toBeNull();
  });
});
