import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { arbitraryDocument, arbitrarySpeakerName } from '../../testing/arbitraries.js';
import { buildDocument, addNamedSpeakers } from '../../testing/samples.js';
import { pdfExporter } from './pdf-exporter.js';

async function read(file: Buffer): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(new Uint8Array(file), { mergePages: true });
  return { pages: totalPages, text: text.replace(/\s+/g, ' ') };
}

/** The fonts in the file, without the tags of their subsets. */
function fontsOf(file: Buffer): string[] {
  const names = file.toString('latin1').matchAll(/\/FontName *\/[A-Z]{6}\+([\w-]+)/gu);
  return [...new Set([...names].map(([, name = '']) => name))].toSorted();
}

/** How far to the right the texts of the first page reach, in points. */
async function rightOf(file: Buffer): Promise<number> {
  const page = await (await getDocumentProxy(new Uint8Array(file))).getPage(1);
  const { items } = await page.getTextContent();
  const ends = items.map((item) => ('transform' in item ? Number(item.transform[4]) + item.width : 0));
  return Math.max(...ends);
}

describe('pdf exporter', () => {
  it('writes every text with its time and speaker', async () => {
    const document = buildDocument([
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

  it('prints Typst markup literally', async () => {
    const content = '#let x = 1 *bold* $math$ @ref <label> [a] \\u{41} // comment "quoted"';
    const { text } = await read(await pdfExporter.render(buildDocument([{ text: content }])));
    expect(text).toContain(content);
  });

  it('prints speaker names literally', async () => {
    const spoken = buildDocument([
      { text: 'Good morning.', speaker: 'SPEAKER_1' },
      { text: 'Well.', speaker: 'SPEAKER_2' },
    ]);
    for (const name of ['Ada', '<b> --> #let *x* $y$', '李'.repeat(80)]) {
      const { text } = await read(await pdfExporter.render(addNamedSpeakers(spoken, name)));
      expect(text.replaceAll(' ', '')).toContain(name.replaceAll(' ', ''));
      expect(text).toContain('SPEAKER_2');
      expect(text).not.toContain('SPEAKER_1');
    }
  });

  it.each(['l', 'W', 'é', 'क्षि', '👍🏽'])(
    'keeps long names and words of the letter %s on the page',
    async (letter) => {
      const [content, name] = [`${letter.repeat(200)}END`, `${letter.repeat(70)}Z`];
      const spoken = buildDocument([{ text: `Say ${content} once.`, speaker: 'SPEAKER_1' }]);
      const file = await pdfExporter.render(addNamedSpeakers(spoken, name));
      const right = await rightOf(file);
      expect(right).toBeGreaterThan(400);
      // An A4 page is 595 wide, its margin 62.
      expect(right).toBeLessThan(535);
      expect((await read(file)).text.replaceAll(/[\s\u200B]/gu, '')).toMatch(/END.*once/);
    },
  );

  it('wraps at word boundaries and keeps the letters unchanged', async () => {
    const word = 'abcdefghij'.repeat(5);
    const { text } = await read(
      await pdfExporter.render(buildDocument([{ text: `A word of fifty: ${word}` }])),
    );
    expect(text).toContain(word);
  });

  it('renders any speaker names', { timeout: 30_000 }, async () => {
    const opens = async (document: Parameters<typeof pdfExporter.render>[0], name: string) => {
      const { pages } = await read(await pdfExporter.render(addNamedSpeakers(document, name, 'עדה')));
      expect(pages).toBeGreaterThan(0);
    };
    await fc.assert(fc.asyncProperty(arbitraryDocument, arbitrarySpeakerName, opens), { numRuns: 15 });
  });

  it.each([
    ['Доброе утро, καλημέρα, Nguyễn', null, 'NotoSans', /Доброе утро, καλημέρα, Nguyễn/],
    ['你好世界', 'zh', 'NotoSansSC', /你好世界/],
    ['안녕하세요', 'ko', 'NotoSansKR', /안녕하세요/],
    ['おはよう、山田です', 'ja', 'NotoSansJP', /おはよう、山田です/],
    ['नमस्ते', 'hi', 'NotoSans', /नम/],
    ['שלום לכולם', 'he', 'NotoSansHebrew', /שלום/],
    ['مرحبا', 'ar', 'Vazirmatn', /مرحبا/],
  ])('sets %s (%s) in %s and embeds no other font', async (text, language, font, shown) => {
    const file = await pdfExporter.render(buildDocument([{ text, language }]));
    expect((await read(file)).text).toMatch(shown);
    const plain = ['NotoSans-Bold', 'NotoSans-Regular'];
    expect(fontsOf(file)).toEqual([...new Set([...plain, `${font}-Regular`])].toSorted());
  });

  it.each([
    ['直骨', 'ja', 'NotoSansJP'],
    ['直骨', 'ko', 'NotoSansKR'],
    ['直骨', 'zh', 'NotoSansSC'],
    ['直骨', 'en', 'NotoSansSC'],
    ['直骨です', null, 'NotoSansJP'],
    ['直骨 안녕', 'en', 'NotoSansKR'],
  ])('selects CJK character forms by language, or by the surrounding letters: %s in %s', async (...given) => {
    const [text, language, font] = given;
    const file = await pdfExporter.render(buildDocument([{ text, language }]));
    expect(fontsOf(file)).toEqual(['NotoSans-Bold', 'NotoSans-Regular', `${font}-Regular`].toSorted());
  });

  it('prints the rest of a text with a character that no font has', async () => {
    const { pages, text } = await read(
      await pdfExporter.render(buildDocument([{ text: 'before กข 👍🏽 after' }])),
    );
    expect(pages).toBe(1);
    expect(text).toMatch(/before .*after/);
  });

  it('has a title, a language and an outline entry every ten minutes', async () => {
    const segments = [0, 590, 601, 650, 1900].map((start) => ({ start, text: 'Well.' }));
    const file = await pdfExporter.render({ ...buildDocument(segments), language: 'pt-BR' });
    const pdf = await getDocumentProxy(new Uint8Array(file));
    const [top] = await pdf.getOutline();
    expect(top).toMatchObject({ title: 'Transcript' });
    const times = top?.items as { title: string }[];
    expect(times.map(({ title }) => title)).toEqual(['00:10:01', '00:31:40']);
    expect((await pdf.getMetadata()).info).toMatchObject({ Title: 'Transcript', Language: 'pt' });
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  });

  it('renders several pages', async () => {
    const segments = Array.from({ length: 200 }, (_, index) => ({
      start: index,
      text: `Sentence number ${index}.`,
    }));
    const { pages, text } = await read(await pdfExporter.render(buildDocument(segments)));
    expect(pages).toBeGreaterThan(3);
    expect(text).toContain('Sentence number 199.');
  });

  it('returns the same bytes for the same transcript', async () => {
    const document = buildDocument([{ text: 'Twice.' }]);
    expect(await pdfExporter.render(document)).toEqual(await pdfExporter.render(document));
  });

  it('renders any text and an empty transcript', { timeout: 30_000 }, async () => {
    const opens = async (document: Parameters<typeof pdfExporter.render>[0]) => {
      const { pages } = await read(await pdfExporter.render(document));
      expect(pages).toBeGreaterThan(0);
    };
    await opens(buildDocument([]));
    await fc.assert(fc.asyncProperty(arbitraryDocument, opens), { numRuns: 20 });
  });
});
