import { describe, expect, it } from 'vitest';
import { foreignWays, type Spoken, spokenForms } from './spoken-forms.js';

/** Each way as one line; letters that are named stand apart, in capitals. */
const linesOf = (ways: readonly Spoken[][]): string[] =>
  ways.map((way) =>
    way
      .map((spoken) => ('word' in spoken ? spoken.word : [...spoken.letters.toUpperCase()].join(' ')))
      .join(' '),
  );

/** The ways of each word of the term. */
const said = (term: string): string[][] | undefined => spokenForms(term)?.map(({ ways }) => linesOf(ways));

describe('spokenForms', () => {
  it.each([
    ['Nakamura', [['nakamura']]],
    ['  Blue  Harbor ', [['blue'], ['harbor']]],
    ["O'Brien", [["o'brien"]]],
    ['Müller', [['muller']]],
    ['Łódź', [['lodz']]],
    ['Straße', [['strasse']]],
    ['KPMG', [['K P M G', 'kpmg']]],
    ['K.P.M.G.', [['K P M G']]],
    ['DataForge', [['dataforge', 'data forge']]],
    ['iOS', [['ios', 'I O S']]],
    ['COVID-19', [['C O V I D nineteen', 'covid nineteen', 'C O V I D one nine', 'covid one nine']]],
    ['A380', [['A three eighty', 'A three hundred eighty', 'A three eight zero']]],
    ['AT&T', [['A T and T', 'at and T']]],
    ['C++', [['C plus plus']]],
    ['Node.js', [['node dot J S', 'node J S', 'node js']]],
    ['Salt & Pepper', [['salt'], ['and'], ['pepper']]],
    ['R - Studio', [['R'], ['studio']]],
  ])('says %j', (term, ways) => {
    expect(said(term)).toEqual(ways);
  });

  it.each(['風', 'Москва', 'Grüße 風', '٣', '—', '!', ' ', 'a b c d e f g h i'])('cannot say %j', (term) => {
    expect(spokenForms(term)).toBeNull();
  });

  it('keeps every word as it was written', () => {
    expect(spokenForms('the iPhone of Müller')?.map(({ text }) => text)).toEqual([
      'the',
      'iPhone',
      'of',
      'Müller',
    ]);
  });

  it('never tries more than four ways of a word', () => {
    for (const { ways } of spokenForms('AB-1984-CD-2024') ?? []) expect(ways.length).toBeLessThanOrEqual(4);
  });
});

describe('foreignWays', () => {
  const foreign = (text: string, common = '') => linesOf(foreignWays(text, (word) => word === common));

  it.each([
    ['Wojciechowski', ['voychehofski']],
    ['Müller', ['mueller']],
    ['Kowalska-Nowak', ['kovalska nowak']],
    ['Busche', ['busha', 'buskay']],
    ['CZ', []],
    ['CZKB', []],
    ['czkb', []],
    ['CZKB-Kowalska', ['C Z K B kovalska', 'czkb kovalska']],
    ['Quantivo', []],
    ['風', []],
  ])('says %j', (text, ways) => {
    expect(foreign(text)).toEqual(ways);
  });

  it.each([
    ['School', 'school', []],
    ['SchoolBus', 'school', []],
    ['Smith-Kowalski', 'smith', ['smith kovalski']],
    ['School-Kowalski', 'school', ['school kovalski']],
    ['Schwarzenbach&Jungmann', 'and', ['shvartsenbak and yungmann']],
  ])('leaves common pieces of %j as they are', (text, common, ways) => {
    expect(foreign(text, common)).toEqual(ways);
  });
});
