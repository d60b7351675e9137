import { describe, expect, it } from 'vitest';
import { foreignSpellings } from './foreign-spellings.js';

describe('foreignSpellings', () => {
  it.each([
    // Polish
    ['wojciechowski', ['voychehofski']],
    ['wiśniewski', ['vishnyefski']],
    ['wisniewski', ['vishnyefski']],
    ['dąbrowski', ['dombrofski']],
    ['łódź', ['wuj']],
    ['mickiewicz', ['mitskyevitch']],
    ['grzegorczyk', ['gzhegorchik']],
    // Of the Czechs and the South Slavs
    ['dvořák', ['dvozhák']],
    ['jovanović', ['yovanovich']],
    // German
    ['schwarzenbach', ['shvartsenbak']],
    ['wiedemann', ['veedemann']],
    ['steinbrück', ['shteinbrueck']],
    ['müller', ['mueller']],
    // Scandinavian
    ['hjalmarsson', ['yalmarsson']],
    ['sjöström', ['syurstrurm', 'shurstrurm']],
    // Spanish
    ['villanueva', ['veeyanwayva']],
    ['trujillo', ['truheeyo']],
    ['quiñones', ['kinyoness']],
    // Italian
    ['guicciardini', ['gwichardini']],
    ['schiavetti', ['shiafetti', 'skiavetti']],
    // Turkish
    ['çelikoğlu', ['chelikolu']],
    ['davutoglu', ['davutolu']],
    // Mandarin
    ['zhengzhou', ['jengjoe']],
    ['xiaoming', ['shauming']],
  ])('writes %s as it is said', (word, said) => {
    expect(foreignSpellings(word)).toEqual(said);
  });

  it.each(['postgres', 'hamilton', 'brightwell', 'nordhaven', 'nakamura', 'quantivo', 'exxon', 'maple', ''])(
    'leaves %j as it is',
    (word) => {
      expect(foreignSpellings(word)).toEqual([]);
    },
  );

  // Forty-eight letters took half a minute when each could be part of several syllables.
  it('looks at a word once, however many syllables it has', () => {
    expect(foreignSpellings(`xi${'ian'.repeat(15)}1`)).toEqual([]);
  });
});
