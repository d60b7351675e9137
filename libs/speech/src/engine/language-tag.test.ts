import { describe, expect, it } from 'vitest';
import { languageTag } from './language-tag.js';

describe('languageTag', () => {
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
    ['zh-hant', 'zh-Hant'],
  ])('%s is %s', (told, tag) => {
    expect(languageTag(told)).toBe(tag);
  });

  it.each(['', 'unknown', 'klingonese', 'und', '<|en|>', 'auto detected', '123', null, undefined])(
    '%s is no language',
    (told) => {
      expect(languageTag(told)).toBeNull();
    },
  );
});
