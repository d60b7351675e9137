import fc from 'fast-check';
import { extractText } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { anyDocument, anyName } from '../../testing/arbitraries.js';
import { documentOf, named } from '../../testing/samples.js';
import { pdfExporter } from './pdf.js';

async function read(file: Buffer): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(new Uint8Array(file), { mergePages: true });
  return { pages: totalPages, text: text.replace(/\s+/g, ' ') };
}

describe('pdf', () => {
  it('holds every text with its time and speaker', async () => {
    const document = documentOf([
      { start: 0.4, text: 'Good morning, everyone.', speaker: 'SPEAKER_1' },
      { start: 3725, text: 'We are done.', speaker: 'SPEAKER_2' },
    ]);
    const { pages, text } = await read(await pdfExporter.render(document));
    expect(pages).toBe(1);
    for (const part of [
      'SPEAKER_1',
      '00:00:00',
      'Good morning, everyone.',
      'SPEAKER_2',
      '01:02:05',
      'We are done.',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows markup of its typesetter as it was said', async () => {
    const said = '#let x = 1 *bold* $math$ @ref <label> [a] \\u{41} // comment "quoted"';
    const { text } = await read(await pdfExporter.render(documentOf([{ text: said }])));
    expect(text).toContain(said);
  });

  it('shows the names of speakers as they are', async () => {
    const spoken = documentOf([
      { text: 'Good morning.', speaker: 'SPEAKER_1' },
      { text: 'Well.', speaker: 'SPEAKER_2' },
    ]);
    for (const name of ['Ada', '<b> --> #let *x* $y$', '李'.repeat(80)]) {
      const { text } = await read(await pdfExporter.render(named(spoken, name)));
      expect(text.replaceAll(' ', '')).toContain(name.replaceAll(' ', ''));
      expect(text).toContain('SPEAKER_2');
      expect(text).not.toContain('SPEAKER_1');
    }
  });

  it('can be written with any names', async () => {
    const opens = async (document: Parameters<typeof pdfExporter.render>[0], name: string) => {
      const { pages } = await read(await pdfExporter.render(named(document, name, 'עדה')));
      expect(pages).toBeGreaterThan(0);
    };
    await fc.assert(fc.asyncProperty(anyDocument, anyName, opens), { numRuns: 15 });
  });

  it('sets several scripts with embedded fonts', async () => {
    const file = await pdfExporter.render(
      documentOf([
        { text: 'Доброе утро' },
        { text: '你好世界', language: 'zh' },
        { text: 'नमस्ते', language: 'hi' },
      ]),
    );
    const { text } = await read(file);
    expect(text).toContain('Доброе утро');
    expect(text).toContain('你好世界');
    expect(text).toMatch(/नम/u);
  });

  it('goes over pages', async () => {
    const segments = Array.from({ length: 200 }, (_, index) => ({
      start: index,
      text: `Sentence number ${index}.`,
    }));
    const { pages, text } = await read(await pdfExporter.render(documentOf(segments)));
    expect(pages).toBeGreaterThan(3);
    expect(text).toContain('Sentence number 199.');
  });

  it('is the same for the same transcript', async () => {
    const document = documentOf([{ text: 'Twice.' }]);
    expect(await pdfExporter.render(document)).toEqual(await pdfExporter.render(document));
  });

  it('can be written for any text, and for none', async () => {
    const opens = async (document: Parameters<typeof pdfExporter.render>[0]) => {
      const { pages } = await read(await pdfExporter.render(document));
      expect(pages).toBeGreaterThan(0);
    };
    await opens(documentOf([]));
    await fc.assert(fc.asyncProperty(anyDocument, opens), { numRuns: 20 });
  });
});
