import fc from 'fast-check';
import type { AssemblyInput, ChunkWord } from '../assemble/assembly-input.js';
import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { buildDocument, buildAssemblyInput } from './samples.js';

/** What has broken subtitle, XML and text writers before. */
const EDGE_CASE_TEXTS = [
  '-->',
  '<b>',
  '</v>',
  '&lt;',
  '&',
  '<',
  '>',
  'WEBVTT',
  'NOTE',
  '1',
  '{\\an8}',
  ']]>',
  '\u0000',
  '\u000b',
  '\ud800',
  '\udfff',
  '\u202e',
  '\u2066',
  '\u2028',
  '\ufffe',
  '\ufeff',
  'a\n\nb',
  'a\r\rb',
  '你好世界。这是一个测试',
  'สวัสดีชาวโลก',
  'مرحبا',
  '👩‍👩‍👧',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
];

export const arbitraryWord: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z']{1,12}[.,?]?$/) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGE_CASE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }) },
);

/** Names of a voice, as they are kept: clean, of 1 to 80 characters. */
export const arbitrarySpeakerName: fc.Arbitrary<string> = fc
  .array(arbitraryWord, { minLength: 1, maxLength: 6 })
  .map((words) => [...sanitizeToSingleLine(words.join(' '))].slice(0, 80).join('').trim())
  .filter((name) => name !== '');

const seconds = (max: number) => fc.double({ min: 0, max, noNaN: true });

interface Raw {
  words: { text: string; gap: number; length: number }[];
  speaker: string | null;
  withWords: boolean;
}

const anySegment: fc.Arbitrary<Raw> = fc.record({
  words: fc.array(fc.record({ text: arbitraryWord, gap: seconds(2), length: seconds(1.5) }), {
    maxLength: 40,
  }),
  speaker: fc.constantFrom(null, 'SPEAKER_1', 'SPEAKER_2'),
  withWords: fc.boolean(),
});

/** Documents as an exporter may meet them: any text, ordered times, with and without words. */
export const arbitraryDocument: fc.Arbitrary<TranscriptDocument> = fc
  .array(anySegment, { maxLength: 8 })
  .map((raws) => {
    let at = 0;
    const segments = raws.map((raw): Partial<TranscriptSegment> => {
      const words = raw.words.map(({ text, gap, length }) => {
        const start = at + gap;
        at = start + length;
        return {
          word: text,
          start,
          end: at,
          confidence: null,
          speaker: raw.speaker,
          language: null,
          estimated: false,
          redacted: null,
          channel: null,
        };
      });
      const text = words.map(({ word }) => word).join(' ');
      const times = { start: words[0]?.start ?? at, end: at };
      return { ...times, text, speaker: raw.speaker, words: raw.withWords ? words : null };
    });
    return buildDocument(segments, at);
  });

/** Times, including those that no engine should give. */
const anyTime = fc.oneof(seconds(40), fc.constantFrom(Number.NaN, -3, Infinity, 1e9));

const chunkWord: fc.Arbitrary<ChunkWord> = fc.record({
  text: arbitraryWord,
  start: anyTime,
  end: anyTime,
  confidence: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 1, noNaN: true })),
  language: fc.constantFrom(null, 'en', 'de', 'zh'),
});

/** Chunks of 30 s, in any order, with words in any disorder. */
export const arbitraryAssemblyInput: fc.Arbitrary<AssemblyInput> = fc
  .record({
    heard: fc.array(fc.array(chunkWord, { maxLength: 30 }), { maxLength: 5 }),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    spare: seconds(3),
    turns: fc.option(
      fc.array(fc.record({ speaker: fc.nat({ max: 4 }), start: seconds(150), end: seconds(150) }), {
        maxLength: 12,
      }),
    ),
    punctuated: fc.boolean(),
    options: fc.record({ word_timestamps: fc.boolean(), speaker_labels: fc.boolean(), nltk: fc.boolean() }),
  })
  .map(({ heard, order, spare, ...rest }) => {
    const chunks = heard.map((words, index) => ({
      key: order.next().value as number,
      chunk: { index, start: index * 30, end: (index + 1) * 30, language: 'en', words },
    }));
    const shuffled = chunks.sort((a, b) => a.key - b.key).map(({ chunk }) => chunk);
    return buildAssemblyInput(shuffled, { ...rest, duration: Math.max(0, heard.length * 30 - spare) });
  });
