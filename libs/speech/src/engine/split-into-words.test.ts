import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoWords } from './split-into-words.js';

describe('splitIntoWords', () => {
  it('splits at spaces, and leaves punctuation at its word', () => {
    expect(splitIntoWords(' “Good morning,”  said\nAnna - (twice). ')).toEqual([
      ...['“Good', 'morning,”', 'said', 'Anna', '-', '(twice).'],
    ]);
  });

  it.each([
    ['彼は「はい」と言う。', ['彼', 'は', '「はい」', 'と', '言う。']],
    ['今天（星期五）我们去。', ['今天', '（星期五）', '我们', '去。']],
    ['《红楼梦》是小说', ['《红楼梦》', '是', '小说']],
    ['他说:“好的”,然后走了。', ['他', '说:', '“好的”,', '然后', '走了。']],
    ['他说"好的"然后走了', ['他', '说', '"好的"', '然后', '走了']],
    ['コーヒー・ショップ', ['コーヒー・', 'ショップ']],
    ['กินข้าว (ที่บ้าน)', ['กิน', 'ข้าว', '(ที่', 'บ้าน)']],
    ['သွားပါ။ လာပါ၊', ['သွား', 'ပါ။', 'လာ', 'ပါ၊']],
    ['សុខ។ អរគុណ៕', ['សុខ។', 'អរគុណ៕']],
  ])('marks that open stay with the word after them, others with the word before: %s', (text, words) => {
    expect(splitIntoWords(text)).toEqual(words);
  });

  it.each([
    ['お電話は03-1234-5678です', ['お', '電話', 'は', '03-1234-5678', 'です']],
    ['メールはtaro@example.comです', ['メール', 'は', 'taro@example.com', 'です']],
    ['「iPhone15」、$5の', ['「iPhone15」、', '$5', 'の']],
    ['你好😀世界', ['你好😀', '世界']],
  ])('words of other scripts within such text are not divided: %s', (text, words) => {
    expect(splitIntoWords(text)).toEqual(words);
  });

  it('loses, changes and adds nothing', () => {
    const characters = fc.constantFrom(...'ab1 「」（“”"、。,.-ー々はい好的ไทยကခ😀…'.match(/./gsu)!);
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const words = splitIntoWords(text);
        expect(words.join('')).toBe(text.replaceAll(/\s/g, ''));
        expect(words).not.toContain('');
      }),
    );
  });
});
