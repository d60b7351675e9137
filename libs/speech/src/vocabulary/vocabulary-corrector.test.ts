import { describe, expect, it } from 'vitest';
import type { RecognizedWord } from '../engine/engine.js';
import { VocabularyCorrector } from './vocabulary-corrector.js';

const { signal } = new AbortController();

/** Words of half a second each, without a pause. Those in `confidences` are not certain. */
function hear(text: string, confidences: Readonly<Record<string, number | null>> = {}): RecognizedWord[] {
  return text.split(' ').map((word, index) => ({
    text: word,
    start: index / 2,
    end: (index + 1) / 2,
    confidence: word in confidences ? (confidences[word] ?? null) : 1,
    language: null,
  }));
}

async function correct(words: RecognizedWord[], terms: string[], language = 'en'): Promise<RecognizedWord[]> {
  return (await new VocabularyCorrector().correct({ words, language }, terms, signal)).words;
}

async function correctText(words: RecognizedWord[], terms: string[], language = 'en'): Promise<string> {
  return (await correct(words, terms, language)).map(({ text }) => text).join(' ');
}

describe('VocabularyCorrector', () => {
  it('a common word stays, however unsure the engine is of it', async () => {
    const correctWord = (word: string) => correctText(hear(`the ${word} came`, { [word]: 0.1 }), ['Dokter']);
    expect(await correctWord('doctor')).toBe('the doctor came');
    expect(await correctWord('docter')).toBe('the Dokter came');
  });

  it('a rare word is replaced only if its confidence is below 0.8', async () => {
    const correctAt = (confidence: number) =>
      correctText(hear('mister kovalchick came', { kovalchick: confidence }), ['Kowalczyk']);
    expect(await correctAt(0.79)).toBe('mister Kowalczyk came');
    expect(await correctAt(0.81)).toBe('mister kovalchick came');
  });

  it('replaces a word without a confidence of its own unless it is one of the ten thousand most frequent', async () => {
    const correctWith = (text: string, confidence: number | null, confidenceOf?: 'segment') =>
      correctText(
        hear(text).map((word) => ({ ...word, confidence, ...(confidenceOf && { confidenceOf }) })),
        ['Kowalczyk', 'Sillinder'],
      );
    for (const [confidence, confidenceOf] of [
      [null, undefined],
      [0.99, 'segment'],
      [0.1, 'segment'],
    ] as const) {
      expect(await correctWith('mister kovalchick came', confidence, confidenceOf)).toBe(
        'mister Kowalczyk came',
      );
      expect(await correctWith('the cylinder came', confidence, confidenceOf)).toBe('the cylinder came');
    }
    expect(await correctWith('the cylinder came', 0.1)).toBe('the Sillinder came');
  });

  it('a word of a term is not doubted', async () => {
    expect(
      await correctText(hear('mister kovalchick came', { kovalchick: 0.1 }), ['Kovalchick', 'Kowalczyk']),
    ).toBe('mister Kovalchick came');
  });

  it('a term with marks replaces neither its letters alone nor another term with the same letters', async () => {
    const text = 'we write C++ and C# with vitamin C. at Yahoo';
    const words = hear(text).map((word) => ({ ...word, confidence: 0.1 }));
    expect(await correctText(words, ['C#', 'C++', 'Yahoo!'])).toBe(text);
  });

  it('the other words stay, in order, with their times and confidences', async () => {
    const heard = hear("so mister kovalchick's friend met miss kovalchick, again", {
      "kovalchick's": 0.3,
      'kovalchick,': 0.3,
    });
    const replaced = (index: number, text: string) => ({ ...heard[index], text, confidence: null });
    expect(await correct(heard, ['Kowalczyk'])).toEqual([
      ...heard.slice(0, 2),
      replaced(2, "Kowalczyk's"),
      ...heard.slice(3, 6),
      replaced(6, 'Kowalczyk,'),
      ...heard.slice(7),
    ]);
  });

  it('words before, between and after matches stay when a match takes several words', async () => {
    const heard = hear('first elasti sertch then kovalchick last', {
      elasti: 0.3,
      sertch: 0.3,
      kovalchick: 0.3,
    });
    const corrected = await correct(heard, ['Elasticsearch', 'Kowalczyk']);
    expect(corrected.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['first', 0, 0.5],
      ['Elasticsearch', 0.5, 1.5],
      ['then', 1.5, 2],
      ['Kowalczyk', 2, 2.5],
      ['last', 2.5, 3],
    ]);
  });

  it('a recognized term is spelled as the caller wrote it, but a common word of the language is not', async () => {
    expect(await correctText(hear('das haus kubernetes'), ['HAUS', 'KuberNetes'], 'de')).toBe(
      'das haus KuberNetes',
    );
    expect(await correctText(hear('das haus rot hier'), ['HAUS Rot'], 'de')).toBe('das HAUS Rot hier');
  });

  it.each([
    ['pl', 'widziałem Kowalczyka z Kowalczykiem', 'Kowalczyk'],
    ['cs', 'mluvil s Dvořákem', 'Dvořák'],
    ['fi', 'puhuin Rovaniemellä', 'Rovaniemi'],
    ['ru', 'видел Ковальчука вчера', 'Ковальчук'],
    ['tr', 'Yıldırımın arabası', 'Yıldırım'],
    ['ko', '어제 김민수가 왔다', '김민수'],
  ])('a term keeps its ending of declension in %s', async (language, text, term) => {
    const words = hear(text).map((word) => ({ ...word, confidence: null }));
    expect(await correctText(words, [term], language)).toBe(text);
  });

  it('a misheard name is replaced in a language that inflects names, too', async () => {
    const words = hear('widziałem kowalczik wczoraj', { kowalczik: null });
    expect(await correctText(words, ['Kowalczyk'], 'pl')).toBe('widziałem Kowalczyk wczoraj');
  });

  it.each([
    ['zh', '我们 用 腾 迅 会议 开会', '腾讯会议'],
    ['ja', '田 中 さん は 来 ます', '田中さん'],
    ['th', 'คุณ สม ชาย มา', 'สมชาย'],
    [null, 'mister kovalchick came', 'Kowalczyk'],
  ])('no term is searched for in %s, and the result names the language', async (language, text, term) => {
    const words = hear(text).map((word) => ({ ...word, confidence: 0.1 }));
    expect(await new VocabularyCorrector().correct({ words, language }, [term, 'KPMG'], signal)).toEqual({
      words,
      language,
      unusedTerms: 2,
      languagesWithoutVocabulary: [language],
    });
  });

  it('a term is used if one of the languages of the words is searched', async () => {
    const words = [
      ...hear('mister kovalchick came', { kovalchick: 0.1 }),
      ...hear('田中 さん').map((word) => ({ ...word, language: 'ja' })),
    ];
    const corrected = await new VocabularyCorrector().correct(
      { words, language: 'en' },
      ['Kowalczyk'],
      signal,
    );
    expect(corrected).toMatchObject({ unusedTerms: 0, words: [{}, { text: 'Kowalczyk' }, {}, {}, {}] });
    expect(corrected).not.toHaveProperty('languagesWithoutVocabulary');
  });
});
