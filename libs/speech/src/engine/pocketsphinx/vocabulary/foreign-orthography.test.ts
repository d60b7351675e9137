import { describe, expect, it } from 'vitest';
import { tagWithLikelyEspeakVoices } from './foreign-orthography.js';

describe('findForeignWords', () => {
  it.each([
    ['wojciechowski', ['pl:wojciechowski']],
    ['wiśniewski', ['pl:wiśniewski']],
    ['wisniewski', ['pl:wiśniewski']],
    ['dąbrowski', ['pl:dąbrowski']],
    ['łódź', ['pl:łódź']],
    ['mickiewicz', ['pl:mickiewicz']],
    ['grzegorczyk', ['pl:grzegorczyk']],
    ['dvořák', ['cs:dvořák']],
    ['jovanović', ['cs:jovanović']],
    ['jovanovic', ['cs:jovanović']],
    ['schwarzenbach', ['de:schwarzenbach']],
    ['wiedemann', ['de:wiedemann']],
    ['steinbrück', ['de:steinbrück']],
    ['müller', ['de:müller']],
    ['hjalmarsson', ['sv:hjalmarsson']],
    ['sjöström', ['de:sjöström', 'sv:sjöström']],
    ['villanueva', ['es-419:villanueva']],
    ['trujillo', ['es-419:trujillo']],
    ['quiñones', ['es-419:quiñones']],
    ['guicciardini', ['it:guicciardini']],
    ['schiavetti', ['de:schiavetti', 'it:schiavetti']],
    ['çelikoğlu', ['tr:çelikoğlu']],
    ['davutoglu', ['tr:davutoğlu']],
    ['zhengzhou', ['cmn-latn-pinyin:zhengzhou']],
    ['xiaoming', ['cmn-latn-pinyin:xiaoming']],
  ])('finds the language of %s', (word, expected) => {
    expect(tagWithLikelyEspeakVoices(word)).toEqual(expected);
  });

  it.each(['postgres', 'hamilton', 'brightwell', 'nordhaven', 'nakamura', 'quantivo', 'exxon', 'maple', ''])(
    'finds no language for %j',
    (word) => {
      expect(tagWithLikelyEspeakVoices(word)).toEqual([]);
    },
  );

  // Forty-eight letters took half a minute when each could be part of several syllables.
  it('matching is linear in the number of syllables', () => {
    expect(tagWithLikelyEspeakVoices(`xi${'ian'.repeat(15)}1`)).toEqual([]);
  });
});
