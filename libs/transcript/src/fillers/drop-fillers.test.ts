import { expect, it } from 'vitest';
import { dropFillersMutatingWords } from './drop-fillers.js';

function drop(text: string, language: string | null = 'en'): string {
  return dropFillersMutatingWords(text.split(' ').map((word) => ({ text: word, language })))
    .map((word) => word.text)
    .join(' ');
}

it.each<[string, string, string | null]>([
  ['Um, we went, uh, home.', 'We went, home.', 'en'],
  ['Yes. Uh, um, maybe.', 'Yes. Maybe.', 'en'],
  ['It was, um. Then we left.', 'It was. Then we left.', 'en'],
  ['Um. Then we left.', 'Then we left.', 'en'],
  ['uh um erm', '', 'en'],
  ['is it, uh?', 'is it?', 'en-US'],
  ['Es geht um das Haus, äh, das er hat.', 'Es geht um das Haus, das er hat.', 'de'],
  ['Eu tenho um carro.', 'Eu tenho um carro.', 'pt'],
  ['um', 'um', null],
  ['uh-huh, mhm', 'uh-huh, mhm', 'en'],
  ['Je, euh, pense.', 'Je, pense.', 'fr'],
])('%s', (text, expected, language) => {
  expect(drop(text, language)).toBe(expected);
});
