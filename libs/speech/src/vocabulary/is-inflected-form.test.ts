import { describe, expect, it } from 'vitest';
import { InflectedNameForms, isInflectedNameForm } from './is-inflected-form.js';

describe('isInflectedNameForm', () => {
  it.each([
    ['Kowalczyka', 'Kowalczyk'],
    ['kowalczykiem', 'Kowalczyk'],
    ['Novotným', 'Novotný'],
    ['Novotného', 'Novotný'],
    ['Ковальчука', 'Ковальчук'],
    ['Rovaniemellä', 'Rovaniemi'],
    ['Debrecenben', 'Debrecen'],
    ['Yıldırımın', 'Yıldırım'],
    ['김민수가', '김민수'],
    ['민수를', '민수'],
  ])('%s is %s with an ending', (word, name) => {
    expect(isInflectedNameForm(word, name)).toBe(true);
    expect(new InflectedNameForms(['Other', name]).has(word)).toBe(true);
  });

  it.each([
    ['Kowalczyk', 'Kowalczyk'],
    ['Kowalczik', 'Kowalczyk'],
    ['Kovalczyka', 'Kowalczyk'],
    ['Kowalska', 'Kowalczyk'],
    ['Ilona', 'Ila'],
    ['Debrecenoperatorius', 'Debrecen'],
  ])('%s is another word than %s', (word, name) => {
    expect(isInflectedNameForm(word, name)).toBe(false);
    expect(new InflectedNameForms(['Other', name]).has(word)).toBe(false);
  });
});
