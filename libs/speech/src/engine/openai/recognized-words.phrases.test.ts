import { describe, expect, it } from 'vitest';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import type { TranscriptionResponse } from './transcription-response.js';
import { createResponse, createResponseWord, createSegment } from './testing/response-builders.js';

const TEXT = 'สวัสดีครับ ผมชื่อสมชาย';
const WORDS = ['|สวัสดี', 'ครับ', '|ผม', 'ชื่อ', 'สมชาย'];

/** The words of a response, each that begins a phrase with a bar before it. */
const list = (response: TranscriptionResponse) =>
  convertTranscriptionDroppingHallucinations(response, 10).words.map(
    ({ text, spaceBefore }) => `${spaceBefore ? '|' : ''}${text}`,
  );

describe('the spaces between phrases of scripts without spaces between words', () => {
  it('are kept beside a list of words', () => {
    const words = ['สวัสดี', 'ครับ', 'ผม', 'ชื่อ', 'สมชาย'].map((word, at) =>
      createResponseWord(word, at, at + 1),
    );
    expect(list(createResponse({ text: TEXT, words }))).toEqual(WORDS);
  });

  it('are kept beside a list of characters, which form no word across a space', () => {
    const listCharacters = (text: string) =>
      [...new Intl.Segmenter('th').segment(text.replaceAll(' ', ''))].map(({ segment }, at) =>
        createResponseWord(segment, at / 10, (at + 1) / 10),
      );
    expect(list(createResponse({ text: TEXT, words: listCharacters(TEXT) }))).toEqual(WORDS);
    const text = 'นั่งตา กลมที่บ้าน';
    const unspaced = text.replace(' ', '');
    expect(list(createResponse({ text: unspaced, words: listCharacters(text) }))).toContain('ตากลม');
    expect(list(createResponse({ text, words: listCharacters(text) }))).toEqual([
      ...['|นั่ง', 'ตา', '|กลม', 'ที่', 'บ้าน'],
    ]);
  });

  it('are kept beside a list of phrases', () => {
    const words = TEXT.split(' ').map((word, at) => createResponseWord(word, at, at + 1));
    expect(list(createResponse({ text: TEXT, words }))).toEqual(WORDS);
  });

  it('are kept in segments, and between them', () => {
    const [first = '', second = ''] = TEXT.split(' ');
    const whole = createResponse({ text: TEXT, segments: [createSegment(TEXT, 1, 5)] });
    expect(list(whole)).toEqual(WORDS);
    const parts = [createSegment(first, 1, 3), createSegment(` ${second}`, 3, 5)];
    expect(list(createResponse({ text: TEXT, segments: parts }))).toEqual(WORDS);
    expect(list(createResponse({ text: TEXT }))).toEqual(WORDS);
  });

  it('do not exist in Chinese and Japanese', () => {
    for (const text of ['你好 世界', '今日は 休みです。'])
      expect(list(createResponse({ text })).join('')).not.toContain('|');
  });
});
