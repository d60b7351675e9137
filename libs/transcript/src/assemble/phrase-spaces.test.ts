import { describe, expect, it } from 'vitest';
import {
  type AssemblyInputOverrides,
  buildAssemblyInput,
  buildChunk,
  buildDocument,
} from '../testing/samples.js';
import type { TranscriptFormat } from '../export/exporter.js';
import { getExporter } from '../export/exporter-registry.js';
import { assembleTranscript } from './assemble-transcript.js';
import type { ChunkWord } from './assembly-input.js';

/** A word each half of a second; a bar before those that an engine has put a space before. */
const words = (...texts: string[]): ChunkWord[] =>
  texts.map((text, at) => ({
    ...{ text: text.replace('|', ''), start: at / 2, end: (at + 1) / 2, confidence: null, language: 'th' },
    ...(text.startsWith('|') && { spaceBefore: true }),
  }));

const GREETING = words('|สวัสดี', 'ครับ', '|ผม', 'ชื่อ', 'สมชาย');

function assemble(chunks: ChunkWord[][], { options, ...more }: AssemblyInputOverrides = {}) {
  return assembleTranscript(
    buildAssemblyInput(
      chunks.map((spoken, index) =>
        buildChunk(spoken, { index, start: index * 2.5, end: index * 2.5 + 2.5, language: 'th' }),
      ),
      { punctuated: true, duration: 10, ...more, options },
    ),
  );
}

const textOf = (...[chunks, more]: Parameters<typeof assemble>) => assemble(chunks, more).text;

describe('the spaces between phrases of an engine', () => {
  it('are in every text of the document, with and without words', () => {
    const text = 'สวัสดีครับ ผมชื่อสมชาย';
    const document = assemble([GREETING]);
    const texts = [document.text, ...[...document.segments, ...document.paragraphs].map((each) => each.text)];
    expect(texts).toEqual([text, text, text]);
    expect(textOf([GREETING], { options: { word_timestamps: false } })).toBe(text);
    expect(textOf([GREETING], { options: { nltk: false } })).toBe(text);
  });

  it('leave the words as they are', () => {
    const plain = words(...GREETING.map(({ text }) => text));
    expect(assemble([GREETING]).segments[0]?.words).toEqual(assemble([plain]).segments[0]?.words);
  });

  it('are between chunks, where the engine began a text', () => {
    const chunks = [words('|สวัสดี', 'ครับ'), words('|ผม', 'ชื่อ', 'สมชาย')];
    expect(textOf(chunks)).toBe('สวัสดีครับ ผมชื่อสมชาย');
  });

  it('stay beside a hesitation that is left out', () => {
    const hesitating = words('|สวัสดี', 'ครับ', 'uhm', '|ผม', 'ชื่อ', 'สมชาย');
    expect(textOf([hesitating])).toBe('สวัสดีครับ uhm ผมชื่อสมชาย');
    expect(textOf([hesitating], { options: { filler_words: false } })).toBe('สวัสดีครับ ผมชื่อสมชาย');
  });

  it('stay where a value is redacted', () => {
    const spoken = words('|โทร', 'หา', 'ผม', '081', '234', '5678', '|นะ', 'ครับ', '|ขอบ', 'คุณ');
    expect(textOf([spoken], { options: { redact: ['phone'] } })).toBe('โทรหาผม [phone] นะครับ ขอบคุณ');
  });

  it('are in warnings', () => {
    const loop = words(...Array.from({ length: 12 }, () => ['|ดี', 'มาก', '|ครับ']).flat());
    expect(assemble([loop]).warnings[0]?.message).toContain('“ดีมาก ครับ”');
    const silent = [buildChunk(GREETING, { speech: [] })];
    expect(assembleTranscript(buildAssemblyInput(silent)).warnings[0]?.message).toContain(
      '“สวัสดีครับ ผมชื่อสมชาย”',
    );
  });

  it.each<[TranscriptFormat, boolean]>([
    ['txt', true],
    ['json', true],
    ['srt', true],
    ['srt', false],
    ['vtt', true],
    ['vtt', false],
  ])('are in %s with word times %s', async (format, word_timestamps) => {
    const document = assemble([GREETING], { options: { word_timestamps } });
    const file = await getExporter(format).render(JSON.parse(JSON.stringify(document)));
    expect(file.toString()).toContain('สวัสดีครับ ผมชื่อสมชาย');
  });

  it('are none in captions of Chinese', async () => {
    const document = buildDocument([{ text: '你好 世界' }]);
    expect((await getExporter('srt').render(document)).toString()).toContain('你好世界');
  });
});
