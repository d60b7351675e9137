import { expect, it } from 'vitest';
import { isPrintableText } from './printable-text.js';

it.each([
  ['a character that ends a text', 'a\u0000b'],
  ['an escape character', 'a\u001bb'],
  ['half a character', 'a\ud800b'],
  ['an override of the direction', 'Pay \u202Eecila\u202C'],
  ['an isolate', 'a\u2066b\u2069'],
])('text with %s is refused', (_, text) => {
  expect(isPrintableText(text)).toBe(false);
});

it.each(['Zoë Müller', 'שָׁלוֹם עולם', 'مرحبا', '👩\u200d🔬', 'Hebrew \u200Fmark\u200E'])(
  '%s is accepted',
  (text) => {
    expect(isPrintableText(text)).toBe(true);
  },
);
