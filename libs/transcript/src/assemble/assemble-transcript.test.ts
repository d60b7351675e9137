import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { arbitraryAssemblyInput } from '../testing/arbitraries.js';
import { buildChunk, buildAssemblyInput, wordsFromLine } from '../testing/samples.js';
import { assembleTranscript } from './assemble-transcript.js';

const texts = (line: string, more: Parameters<typeof buildAssemblyInput>[1] = {}) =>
  assembleTranscript(buildAssemblyInput([buildChunk(wordsFromLine(line))], more)).segments.map(
    ({ text }) => text,
  );

describe('assembleTranscript', () => {
  it('splits recognised words into sentences', () => {
    expect(texts("good morning i'm here (0.9) where are you (0.9) see you on monday")).toEqual([
      "Good morning I'm here.",
      'Where are you?',
      'See you on Monday.',
    ]);
  });

  it('keeps the words as recognised without nltk, with one segment per pause', () => {
    expect(texts('so i said (0.7) the (0.7) HELLO there', { options: { nltk: false } })).toEqual([
      'so i said',
      'the',
      'HELLO there',
    ]);
  });

  it('returns the same for a punctuating engine without nltk as for one that sets no marks', () => {
    const options = { options: { nltk: false } };
    const bare = texts('hello there (0.7) how are you', options);
    expect(texts('Hello, there. (0.7) How are you?', { ...options, punctuated: true })).toEqual(bare);
  });

  it('leaves out hesitations on request only', () => {
    const line = 'Um, we, uh, left. Uh.';
    expect(texts(line, { punctuated: true })).toEqual(['Um, we, uh, left.', 'Uh.']);
    const options = { filler_words: false };
    expect(texts(line, { punctuated: true, options })).toEqual(['We, left.']);
    const empty = assembleTranscript(buildAssemblyInput([buildChunk(wordsFromLine('um uh'))], { options }));
    expect(empty).toMatchObject({ text: '', segments: [], warnings: [] });
  });

  it('redacts every text of the document, over chunks and in warnings, and keeps the times', () => {
    const first = buildChunk(wordsFromLine('call me at 555'), { end: 10 });
    const second = buildChunk(wordsFromLine('123 4567 today'), { index: 1, start: 10, end: 20 });
    const loop = buildChunk(wordsFromLine('5554567 '.repeat(20)), { index: 2, start: 20, end: 30 });
    const silent = buildChunk(wordsFromLine('5551234567'), { index: 3, start: 30, end: 40, speech: [] });
    const document = assembleTranscript(
      buildAssemblyInput([first, second, loop, silent], { options: { redact: ['phone'] } }),
    );
    expect(document.text).toMatch(/^Call me at \[phone\] today/);
    expect(JSON.stringify({ ...document, usage: null, created_at: '', job_id: '' })).not.toMatch(
      /"[^"]*(555|4567)[^"]*"/,
    );
    expect(document.warnings.map(({ code }) => code)).toEqual(['text_over_silence', 'repetition_dropped']);
    const word = document.segments.flatMap((segment) => segment.words ?? []).find((each) => each.redacted);
    expect(word).toMatchObject({ word: '[phone]', redacted: 'phone', start: 1.05 });
    expect(word?.end).toBeCloseTo(10.65);
  });

  it('keeps the punctuation of an engine that sets it', () => {
    const line = 'Hello, Dr. Smith. How (0.9) are you? fine. Good!';
    expect(texts(line, { punctuated: true })).toEqual(['Hello, Dr. Smith.', 'How are you? fine.', 'Good!']);
  });

  it('uses the marks of a punctuation model, in the script of the language', () => {
    const marked = wordsFromLine('hello there how are you (0.9) i said monday');
    const marks = new Map([
      [1, ',' as const],
      [4, '?' as const],
      [7, '.' as const],
    ]);
    const words = marked.map((word, index) => ({ ...word, mark: marks.get(index) ?? null }));
    const english = assembleTranscript(buildAssemblyInput([buildChunk(words)]));
    expect(english.segments.map(({ text }) => text)).toEqual(['Hello there, how are you?', 'I said Monday.']);
    const chinese = ['你', '好', '吗', '我', '很', '好'].map((text, index) => ({
      ...(words[index] ?? fail()),
      text,
      mark: index === 2 ? ('?' as const) : null,
    }));
    const document = assembleTranscript(buildAssemblyInput([buildChunk(chinese, { language: 'zh' })]));
    expect(document.text).toBe('你好吗？我很好。');
  });

  it('punctuates by rules when the model has not marked every word', () => {
    const words = wordsFromLine('good morning (0.9) where are you').map((word, index) =>
      index === 0 ? word : { ...word, mark: null },
    );
    const document = assembleTranscript(buildAssemblyInput([buildChunk(words)]));
    expect(document.segments.map(({ text }) => text)).toEqual(['Good morning.', 'Where are you?']);
  });

  it('starts a segment when the speaker changes and numbers speakers by appearance', () => {
    const turns = [
      { speaker: 9, start: 0, end: 1.0 },
      { speaker: 4, start: 1.05, end: 2 },
    ];
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk(wordsFromLine('who is there it is me'))], {
        turns,
        options: { speaker_labels: true },
      }),
    );
    expect(document.segments.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['SPEAKER_1', 'Who is there?'],
      ['SPEAKER_2', 'It is me.'],
    ]);
    expect(document.speakers).toEqual([
      { id: 'SPEAKER_1', name: null, duration: 1, channel: null },
      { id: 'SPEAKER_2', name: null, duration: 0.95, channel: null },
    ]);
    expect(document.segments[1]?.words?.[0]).toMatchObject({ word: 'It', speaker: 'SPEAKER_2' });
  });

  it('lists the languages by duration of speech', () => {
    const words = wordsFromLine('guten tag and now we go on in english');
    const tagged = words.map((word, index) => ({ ...word, language: index < 2 ? 'de' : null }));
    const document = assembleTranscript(buildAssemblyInput([buildChunk(tagged)]));
    expect(document.segments.map(({ language, text }) => [language, text])).toEqual([
      ['de', 'Guten tag.'],
      ['en', 'And now we go on in English.'],
    ]);
    expect([document.languages, document.language]).toEqual([['en', 'de'], 'en']);
  });

  it('weights confidence by duration and leaves unknown confidence out', () => {
    const [a, b] = wordsFromLine('yes indeed');
    if (!a || !b) throw new Error('two words expected');
    const pair = [
      { ...a, start: 0, end: 1, confidence: 1 },
      { ...b, start: 1, end: 4, confidence: 0.6 },
    ];
    expect(assembleTranscript(buildAssemblyInput([buildChunk(pair)])).confidence).toBe(0.7);
    const unsure = pair.map((word) => ({ ...word, confidence: null }));
    const document = assembleTranscript(buildAssemblyInput([buildChunk(unsure)]));
    expect([document.confidence, document.segments[0]?.confidence]).toEqual([null, null]);
  });

  it('omits words without word_timestamps', () => {
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk(wordsFromLine('hi there'))], { options: { word_timestamps: false } }),
    );
    expect(document.segments).toMatchObject([{ text: 'Hi there.', words: null }]);
  });

  it('returns an empty transcript and a warning for silence', () => {
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk([])], { options: { speaker_labels: true } }),
    );
    expect(document).toMatchObject({
      text: '',
      segments: [],
      speakers: [],
      warnings: [{ code: 'no_speech', segment_id: null }],
      language: null,
      languages: [],
    });
  });

  it('warns when requested speakers are unknown, unless an earlier stage did', () => {
    const input = buildAssemblyInput([buildChunk(wordsFromLine('hello'))], {
      options: { speaker_labels: true },
    });
    const codes = (document: ReturnType<typeof assembleTranscript>) =>
      document.warnings.map(({ code }) => code);
    expect(codes(assembleTranscript(input))).toEqual(['speakers_unavailable']);
    const warnings = [{ code: 'speakers_unavailable', message: 'The model is missing.', segment_id: null }];
    expect(assembleTranscript({ ...input, warnings }).warnings).toEqual(warnings);
    expect(
      codes(assembleTranscript({ ...input, options: { ...input.options, speaker_labels: false } })),
    ).toEqual([]);
  });

  it('drops repetition loops and warns about them', () => {
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk(wordsFromLine(`hello there (0.9) ${'bye '.repeat(20)}`))]),
    );
    expect(document.text).toBe('Hello there. Bye.');
    expect(document.warnings).toMatchObject([{ code: 'repetition_dropped', segment_id: 1 }]);
  });

  it('drops hallucinated text over silence and warns about it, for any engine', () => {
    const words = wordsFromLine('hello (6) thanks for watching (6) goodbye');
    const speech = [
      { start: 0, end: 0.4 },
      { start: 12.9, end: 13.5 },
    ];
    const document = assembleTranscript(buildAssemblyInput([buildChunk(words, { speech })]));
    expect(document.text).toBe('Hello. Goodbye.');
    expect(document.warnings).toMatchObject([{ code: 'text_over_silence', segment_id: null }]);
    expect(document.warnings[0]?.message).toBe(
      '“thanks for watching” was recognised from 6.3 s to 7.3 s, where nobody speaks, and was dropped.',
    );
    expect(assembleTranscript(buildAssemblyInput([buildChunk(words)])).text).toBe(
      'Hello. Thanks for watching. Goodbye.',
    );
  });

  it('keeps words over silence whose times are only estimated', () => {
    const words = wordsFromLine('hello (6) my old friend (6) goodbye').map((word) => ({
      ...word,
      estimated: true as const,
    }));
    const document = assembleTranscript(
      buildAssemblyInput([buildChunk(words, { speech: [{ start: 0, end: 0.4 }] })]),
    );
    expect(document.text).toBe('Hello. My old friend. Goodbye.');
    expect(document.warnings).toEqual([]);
    expect(document.segments[0]?.words).toMatchObject([{ word: 'Hello.', estimated: true }]);
  });

  it('rejects an invalid duration', () => {
    expect(() => assembleTranscript(buildAssemblyInput([], { duration: Number.NaN }))).toThrow(RangeError);
  });
});

describe('assembleTranscript with any input', () => {
  it('keeps every invariant of the document', () => {
    fc.assert(
      fc.property(arbitraryAssemblyInput, (input) => {
        const document = assembleTranscript(input);
        let reached = 0;
        for (const [index, segment] of document.segments.entries()) {
          expect(segment.id).toBe(index);
          expect(segment.start).toBeGreaterThanOrEqual(reached);
          for (const word of segment.words ?? []) {
            expect(word.start).toBeGreaterThanOrEqual(reached);
            expect(word.end).toBeGreaterThanOrEqual(word.start);
            expect(word.speaker).toBe(segment.speaker);
            expect(Math.round(word.start * 1000) / 1000).toBe(word.start);
            reached = word.end;
          }
          expect(segment.end).toBeGreaterThanOrEqual(segment.start);
          expect(segment.end).toBeLessThanOrEqual(document.duration);
          reached = segment.end;
        }
        const labels = new Set(document.segments.flatMap(({ speaker }) => speaker ?? []));
        expect([...labels]).toEqual(document.speakers.map(({ id }) => id));
        expect([...labels]).toEqual([...labels].map((_, index) => `SPEAKER_${index + 1}`));
      }),
    );
  });

  it('neither duplicates nor loses a word and keeps its letters', () => {
    // The small sigma has another form at the end of a word, and words are joined here.
    const letters = (text: string) =>
      text
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .replace(/[^\p{L}\p{N}\ufffd]/gu, '');
    fc.assert(
      fc.property(arbitraryAssemblyInput, (input) => {
        const inOrder = [...input.chunks].sort((a, b) => a.index - b.index);
        const recognizedText = inOrder
          .flatMap(({ words }) => words.map(({ text }) => sanitizeToSingleLine(text)))
          .join('');
        const document = assembleTranscript(input);
        fc.pre(!document.warnings.some(({ code }) => code === 'repetition_dropped'));
        expect(letters(document.text)).toBe(letters(recognizedText));
      }),
    );
  });
});

function fail(): never {
  throw new Error('The test has no such word.');
}
