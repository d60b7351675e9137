import { describe, expect, it } from 'vitest';
import { respellForEnglish } from './english-respelling.js';

describe('respellForEnglish', () => {
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
  ])('respells %s as it is pronounced', (word, said) => {
    expect(respellForEnglish(word)).toEqual(said);
  });

  it.each(['postgres', 'hamilton', 'brightwell', 'nordhaven', 'nakamura', 'quantivo', 'exxon', 'maple', ''])(
    'leaves %j unchanged',
    (word) => {
      expect(respellForEnglish(word)).toEqual([]);
    },
  );

  // Forty-eight letters took half a minute when each could be part of several syllables.
  it('matching is linear in the number of syllables', () => {
    expect(respellForEnglish(`xi${'ian'.repeat(15)}1`)).toEqual([]);
  });
});
