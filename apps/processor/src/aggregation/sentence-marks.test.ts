import { AidFailed, type Punctuator } from '@app/speech';
import { describe, expect, it, vi } from 'vitest';
import { sentenceMarks } from './sentence-marks.js';

const chunks = [
  { start: 0, language: 'en', words: [word('hello', null)] },
  { start: 30, language: 'en', words: [word('oui', 'fr'), word('there', null)] },
];

const WANTED = { nltk: true };
const PLAIN = { punctuation: false };
const failing = { marks: () => Promise.reject(new AidFailed('tiny')) };

describe('sentenceMarks', () => {
  it('puts the marks on the words, told of all chunks at once on the clock of the file', async () => {
    const marks = vi.fn<Punctuator['marks']>().mockResolvedValue([',', undefined, null]);
    const { chunks: marked, warnings } = await sentenceMarks(chunks, { marks }, WANTED, PLAIN);
    expect(marked.map(({ words }) => words.map(({ mark }) => mark))).toEqual([[','], [undefined, null]]);
    expect(marked[1]?.words[0]).toEqual(chunks[1]?.words[0]);
    expect(warnings).toEqual([]);
    expect(marks.mock.calls[0]?.[0]).toEqual([
      { text: 'hello', start: 1, end: 2, language: 'en' },
      { text: 'oui', start: 31, end: 32, language: 'fr' },
      { text: 'there', start: 31, end: 32, language: 'en' },
    ]);
  });

  it('leaves the words as they are when the model fails, and says so', async () => {
    expect(await sentenceMarks(chunks, failing, WANTED, PLAIN)).toMatchObject({
      chunks,
      warnings: [{ code: 'punctuation_unavailable', segment_id: null }],
    });
  });

  it.each([
    ['there is no model', null, WANTED, PLAIN],
    ['no marks are wanted', failing, { nltk: false }, PLAIN],
    ['the engine sets marks itself', failing, WANTED, { punctuation: true }],
  ])('does nothing where %s', async (_, punctuator, options, engine) => {
    expect(await sentenceMarks(chunks, punctuator, options, engine)).toEqual({ chunks, warnings: [] });
  });
});

function word(text: string, language: string | null) {
  return { text, start: 1, end: 2, confidence: null, language };
}
