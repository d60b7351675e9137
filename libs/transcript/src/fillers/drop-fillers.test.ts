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
  ['She was taken to the ER on Monday, er, Tuesday.', 'She was taken to the ER on Monday, Tuesday.', 'en'],
  ['UM and MSU play today.', 'UM and MSU play today.', 'en'],
  ['WE WENT, UM, HOME.', 'WE WENT, HOME.', 'en'],
  ['a 35 mm lens, mm, and a 5.5 mm drill', 'a 35 mm lens, and a 5.5 mm drill', 'en'],
  ['No one. Mm, yes.', 'No one. Yes.', 'en'],
  ['this one, mm, thanks', 'this one, thanks', 'en'],
  ['There were five. Mm, yes.', 'There were five. Yes.', 'en'],
  ['Ein 5 mm Bohrer, mm, gut.', 'Ein 5 mm Bohrer, gut.', 'de'],
  ['Das ist eh klar.', 'Das ist eh klar.', 'de'],
  ['taken to the E.R. at night', 'taken to the E.R. at night', 'en'],
  ['El E.M. dijo eso.', 'El E.M. dijo eso.', 'es'],
  ['„Das ist gut, äh.“ Er ging.', '„Das ist gut.“ Er ging.', 'de'],
  ['「はい、 えっと。」 そうです。', '「はい。」 そうです。', 'ja'],
  ['五点吗？ 嗯。', '五点吗？ 嗯。', 'zh'],
  ['嗯', '嗯', 'zh'],
  ['嗯， 我 想 嗯 去。', '我 想 去。', 'zh'],
  ['It is five mm wide, mm, and twenty-five mm long.', 'It is five mm wide, and twenty-five mm long.', 'en'],
])('%s', (text, expected, language) => {
  expect(drop(text, language)).toBe(expected);
});

it.each<[string, string]>([
  ['we left the house um. then he came', 'we left the house. then he came'],
  ['we left, um. then he came', 'we left. then he came'],
  ['we left? um, then he came', 'we left? then he came'],
  ['um, then he came', 'then he came'],
])('the marks of a model in “%s” stay', (text, expected) => {
  const words = text.split(' ').map((word) => {
    const [, spoken = '', mark] = /^(.*?)([.,?])?$/.exec(word) ?? [];
    return { text: spoken, language: 'en', mark: (mark as '.' | ',' | '?' | undefined) ?? null };
  });
  const kept = dropFillersMutatingWords(words).map((word) => word.text + (word.mark ?? ''));
  expect(kept.join(' ')).toBe(expected);
});
