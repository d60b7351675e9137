import { expect, it } from 'vitest';
import { stripPunctuationAndSentenceCapitalsInPlace } from './strip-punctuation-and-sentence-capitals-in-place.js';

function remove(text: string, language: string | null = 'en'): string {
  return stripPunctuationAndSentenceCapitalsInPlace(text.split(' ').map((word) => ({ text: word, language })))
    .map((word) => word.text)
    .join(' ');
}

it.each<[string, string, string | null]>([
  ['Hello, there. How are you?', 'hello there how are you', 'en'],
  ['I said “no” – twice.', 'I said no twice', 'en'],
  ["It's 3.5% of the U.S. market!", "it's 3.5% of the U.S. market", 'en'],
  ['London is big. In London, NASA met Ada.', 'London is big in London NASA met Ada', 'en'],
  ['Well-known: iPhone, $5, C#.', 'well-known iPhone $5 C#', 'en'],
  ['Häuser sind teuer. Das stimmt.', 'Häuser sind teuer Das stimmt', 'de'],
  ['„Das ist gut.“ Er ging.', 'Das ist gut Er ging', 'de'],
  ['»Dat er fint.« Han gik.', 'dat er fint han gik', 'da'],
  ['“Pa is here.’” He left.', 'pa is here he left', 'en'],
  ['यह अच्छा है। हाँ।', 'यह अच्छा है हाँ', 'hi'],
  ['نعم، هنا؛ أين؟', 'نعم هنا أين', 'ar'],
  ['នេះល្អ។ ပြီး။', 'នេះល្អ ပြီး', null],
  ['你好。 再见！', '你好 再见', 'zh'],
  ['... okay', 'okay', 'en'],
  ['Işık yandı. İyi oldu.', 'ışık yandı iyi oldu', 'tr'],
  ['Işıq yandı. İki nəfər.', 'ışıq yandı iki nəfər', 'az'],
  ['It was -5 degrees, and 20 % humid.', 'it was -5 degrees and 20 % humid', 'en'],
  ['Das sind 50 % nach § 5 BGB.', 'Das sind 50 % nach § 5 BGB', 'de'],
  ['The R & D team met @ noon – twice.', 'the R & D team met @ noon twice', 'en'],
  ['From “–3” to –1, he said - roughly.', 'from –3 to –1 he said roughly', 'en'],
])('%s', (text, expected, language) => {
  expect(remove(text, language)).toBe(expected);
});
