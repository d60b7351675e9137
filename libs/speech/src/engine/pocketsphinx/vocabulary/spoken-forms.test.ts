import { describe, expect, it } from 'vitest';
import {
  buildForeignSpokenForms,
  findSpokenFormsPerTermWord,
  isSpelledLetter,
  listDigitReadings,
} from './spoken-forms.js';

/** Each way as one line; letters that are named stand apart, in capitals. */
const linesOf = (forms: readonly string[][]): string[] =>
  forms.map((way) =>
    way.map((word) => (isSpelledLetter(word) ? word.slice(0, -1).toUpperCase() : word)).join(' '),
  );

/** The ways of each word of the term. */
const listSpokenForms = (term: string): string[][] | undefined =>
  findSpokenFormsPerTermWord(term)?.map(({ spokenForms: forms }) => linesOf(forms));

describe('findSpokenFormsPerTermWord', () => {
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
  ])('finds the spoken forms of %j', (term, forms) => {
    expect(listSpokenForms(term)).toEqual(forms);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'a term with the name of a property that every object has is a word: %s',
    (term) => {
      const word = term.replaceAll('_', '').toLowerCase();
      expect(findSpokenFormsPerTermWord(term)?.[0]?.spokenForms[0]).toEqual([word]);
    },
  );

  it.each(['風', 'Москва', 'Grüße 風', '٣', '—', '!', ' ', 'a b c d e f g h i'])(
    'returns null for %j',
    (term) => {
      expect(findSpokenFormsPerTermWord(term)).toBeNull();
    },
  );

  it('every word keeps its written form', () => {
    expect(findSpokenFormsPerTermWord('the iPhone of Müller')?.map(({ text }) => text)).toEqual([
      'the',
      'iPhone',
      'of',
      'Müller',
    ]);
  });

  it('a word has at most four spoken forms', () => {
    const found = findSpokenFormsPerTermWord('AB-1984-CD-2024') ?? [];
    expect(found.map(({ spokenForms }) => spokenForms.length)).toEqual([4]);
  });
});

describe('buildForeignSpokenForms', () => {
  const foreign = (text: string, common = '') =>
    linesOf(buildForeignSpokenForms(text, (word) => word === common));

  it.each([
    ['Wojciechowski', ['pl:wojciechowski']],
    ['Müller', ['de:müller']],
    ['Kowalska-Nowak', ['pl:kowalska nowak']],
    ['Busche', ['de:busche', 'it:busche']],
    ['CZ', []],
    ['CZKB', []],
    ['czkb', []],
    ['CZKB-Kowalska', ['C Z K B pl:kowalska', 'czkb pl:kowalska']],
    ['Quantivo', []],
    ['風', []],
  ])('finds the spoken forms of %j', (text, forms) => {
    expect(foreign(text)).toEqual(forms);
  });

  it.each([
    ['School', 'school', []],
    ['SchoolBus', 'school', []],
    ['Smith-Kowalski', 'smith', ['smith pl:kowalski']],
    ['School-Kowalski', 'school', ['school pl:kowalski']],
    ['Schwarzenbach&Jungmann', 'and', ['de:schwarzenbach and de:jungmann']],
  ])('leaves common parts of %j unchanged', (text, common, forms) => {
    expect(foreign(text, common)).toEqual(forms);
  });
});

it.each([
  ['7', ['seven']],
  ['19', ['nineteen', 'one nine']],
  ['80', ['eighty', 'eight zero']],
  ['365', ['three sixty five', 'three hundred sixty five', 'three six five']],
  ['1984', ['nineteen eighty four', 'one thousand nine hundred eighty four', 'one nine eight four']],
  ['2005', ['two thousand five', 'two zero zero five']],
  ['007', ['zero zero seven']],
  ['31415926', ['three one four one five nine two six']],
])('listDigitReadings reads %s', (digits, forms) => {
  expect(listDigitReadings(digits).map((words) => words.join(' '))).toEqual(forms);
});
