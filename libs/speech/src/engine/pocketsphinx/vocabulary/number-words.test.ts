import { expect, it } from 'vitest';
import { spellOutDigits } from './number-words.js';

it.each([
  ['7', ['seven']],
  ['19', ['nineteen', 'one nine']],
  ['80', ['eighty', 'eight zero']],
  ['365', ['three sixty five', 'three hundred sixty five', 'three six five']],
  ['1984', ['nineteen eighty four', 'one thousand nine hundred eighty four', 'one nine eight four']],
  ['2005', ['two thousand five', 'two zero zero five']],
  ['007', ['zero zero seven']],
  ['31415926', ['three one four one five nine two six']],
])('spellOutDigits reads %s', (digits, ways) => {
  expect(spellOutDigits(digits).map((words) => words.join(' '))).toEqual(ways);
});
