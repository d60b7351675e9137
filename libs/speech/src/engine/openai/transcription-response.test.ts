import { describe, expect, it } from 'vitest';
import { OpenAiRequestError } from './openai-client.js';
import { convertTranscriptionDroppingHallucinations } from './recognized-words.js';
import { parseTranscriptionResponse } from './transcription-response.js';

function parse(body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return parseTranscriptionResponse({
    status: 200,
    retryAfter: null,
    retryForbidden: false,
    text,
    excerpt: text,
  });
}

const convert = (body: unknown, duration = 10) =>
  convertTranscriptionDroppingHallucinations(parse(body), duration).words;
const textOf = (body: unknown) =>
  convert(body)
    .map(({ text }) => text)
    .join(' ');

describe('parseTranscriptionResponse', () => {
  it.each<[string, object]>([
    ['a segment without a text', { segments: [{ start: 0, end: 1, text: null }, { text: ' one two' }] }],
    ['segments that are no list', { segments: { 0: 'one two' } }],
    ['segments of another shape', { segments: ['one two'] }],
    ['a language that is no text', { language: ['en'], words: null }],
    ['words of another shape', { words: [['one', 0, 1]] }],
  ])('uses the text in spite of %s', (_, fields) => {
    expect(textOf({ text: 'one two', ...fields })).toBe('one two');
  });

  it('takes the text from the segments, or from the words, if it is null', () => {
    const segments = [
      { text: ' one', start: 0, end: 1 },
      { text: ' two', start: 1, end: 2 },
    ];
    const words = [
      { word: 'one', start: 0, end: 1 },
      { word: 'two', start: 1, end: 2 },
    ];
    expect(textOf({ text: null, segments })).toBe('one two');
    expect(textOf({ text: null, words })).toBe('one two');
    expect(textOf({ text: null, segments: [] })).toBe('');
  });

  it('takes the words of segments that have no text', () => {
    const words = [
      { word: 'one', start: 0, end: 1 },
      { word: 'two', start: 1, end: 2 },
    ];
    for (const text of [undefined, null, '', ' '])
      expect(textOf({ segments: [{ start: 0, end: 2, text, words }] })).toBe('one two');
  });

  it('rejects a response that is cut off within a long text, without searching it again for each quote', () => {
    const cutOff = `{"text": "${String.raw`\"a\" `.repeat(200_000)}`;
    expect(() => parse(cutOff)).toThrow('a response that is not JSON');
    expect(() => parse(`{"text": "a \\`)).toThrow('a response that is not JSON');
  });

  it('rejects more text than anybody can speak', () => {
    const text = 'again and '.repeat(30_000);
    expect(() => convert({ text }, 10)).toThrow('a text of 300000 characters for 10 s of audio');
    expect(convert({ text }, 600)).toHaveLength(60_000);
  });

  it('reads times that are written as text', () => {
    const words = [
      { word: 'one', start: '0.5', end: '1' },
      { word: 'two', start: '1.25', end: 'end' },
    ];
    expect(convert({ text: 'one two', words })).toMatchObject([
      { text: 'one', start: 0.5, end: 1 },
      { text: 'two', start: 1.25, end: 1.7 },
    ]);
  });

  it('reads numbers that JSON does not have as unknown, and leaves the text as it is', () => {
    const body =
      '{"text": "they said: NaN, \\"Infinity\\"", "segments": [{"text": "they said: NaN, \\"Infinity\\"", "start": 0, "end": 4, "avg_logprob": NaN, "compression_ratio": -Infinity}]}';
    expect(textOf(body)).toBe('they said: NaN, "Infinity"');
    expect(convert(body)[0]?.confidence).toBeNull();
  });

  it.each([
    ['an error', { error: { message: 'out of memory' } }],
    ['an error beside an empty text', { text: '', error: 'out of memory' }],
    ['nothing', {}],
    ['a text that is null', { text: null }],
    ['no object', [{ text: 'one' }]],
    ['no JSON', '<html>'],
  ])('is no transcription: %s', (_, body) => {
    expect(() => parse(body)).toThrow(OpenAiRequestError);
  });

  it('reads JSON that begins with a byte order mark', () => {
    expect(textOf('\uFEFF{"text": "one two"}')).toBe('one two');
  });

  it.each([
    ['plain text', 'the words that were said'],
    ['server-sent events', 'data: {"type": "transcript.text.delta", "delta": "the words that were said"}'],
    ['JSON of another shape', { result: 'the words that were said' }],
    ['a list', ['the words that were said']],
    ['JSON without an error', { result: 'the words that were said', error: null }],
    ['an error beside other fields', { result: 'the words that were said', error: 'x' }],
    ['the tags of a recogniser', '<|en|><|Speech|>the words that were said'],
  ])('shows nothing of what was said in the error for %s', (_, body) => {
    expect(() => parse(body)).toThrow(OpenAiRequestError);
    expect(() => parse(body)).not.toThrow(/said/);
  });

  it.each([
    ['the page of a proxy', '<html>Bad gateway</html>', /Bad gateway/],
    ['an error', { error: { message: 'out of memory' } }, /out of memory/],
    ['other fields', { result: 'one', task: 'x' }, /the fields result, task/],
  ])('shows %s in the error', (_, body, message) => {
    expect(() => parse(body)).toThrow(message);
  });

  it('ignores an error that is null, or beside a text', () => {
    expect(parse({ text: '', error: null }).text).toBe('');
    expect(parse({ text: 'one', error: 'a warning' }).text).toBe('one');
  });
});
