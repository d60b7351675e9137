import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../../transcript-document.js';
import { arbitraryDocument, arbitrarySpeakerName } from '../../testing/arbitraries.js';
import { buildDocument, addNamedSpeakers } from '../../testing/samples.js';
import { sanitizeToSingleLine } from '../../text/sanitize-to-single-line.js';
import { docxExporter } from './docx-exporter.js';

const archiveOf = async (document: TranscriptDocument) =>
  JSZip.loadAsync(await docxExporter.render(document));

async function read(archive: JSZip, name: string): Promise<string> {
  const content = await archive.file(name)?.async('string');
  if (content === undefined) throw new Error(`The archive has no ${name}.`);
  return content;
}

async function bodyOf(document: TranscriptDocument): Promise<string> {
  const body = await read(await archiveOf(document), 'word/document.xml');
  expect(XMLValidator.validate(body)).toBe(true);
  // What XML 1.0 does not allow at all, and a lenient parser may let through.
  // oxlint-disable-next-line no-control-regex -- controls are what it looks for
  expect(body).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u);
  return body;
}

const parser = new XMLParser({ trimValues: false, preserveOrder: true, parseTagValue: false });

function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return '';
  return Object.entries(node)
    .filter(([key]) => key !== ':@')
    .map(([key, value]) => (key === '#text' ? String(value) : textOf(value)))
    .join('');
}

const sourcesOf = (body: string) => body.match(/<w:p>.*?<\/w:p>/gsu) ?? [];
/** A tab between the time and the text, as it is shown. */
const paragraphsOf = (body: string) =>
  sourcesOf(body).map((xml) => textOf(parser.parse(xml.replaceAll('<w:tab/>', '<w:t>\t</w:t>'))));

describe('docx exporter', () => {
  it('writes every text with its time, under its speaker', async () => {
    const document = buildDocument([
      { start: 0.4, end: 2, text: 'Good morning, everyone.', speaker: 'SPEAKER_1' },
      { start: 2.5, end: 4, text: 'Shall we?', speaker: 'SPEAKER_1' },
      { start: 3725, text: 'We are done.' },
    ]);
    expect(paragraphsOf(await bodyOf(document))).toEqual([
      'Transcript',
      '2026-01-02 · 00:10:00 · en',
      'SPEAKER_1',
      '00:00:00\tGood morning, everyone. Shall we?',
      'Unknown speaker',
      '01:02:05\tWe are done.',
    ]);
  });

  it('says that a transcript without segments has no speech', async () => {
    expect(paragraphsOf(await bodyOf({ ...buildDocument([]), languages: [], duration: 20 }))).toEqual([
      'Transcript',
      '2026-01-02 · 00:00:20 · no speech found',
    ]);
  });

  it('marks only paragraphs and words of right-to-left scripts as right to left', async () => {
    const body = await bodyOf(
      buildDocument([
        { text: 'صباح الخير Ada', language: 'ar' },
        { text: 'Good שלום morning', language: 'en' },
      ]),
    );
    const [arabic = '', english = ''] = sourcesOf(body).slice(-2);
    expect([arabic, english].map((xml) => xml.includes('<w:bidi/>'))).toEqual([true, false]);
    const turned = (xml: string) =>
      [...xml.matchAll(/<w:rtl\/>.*?<w:t [^>]*>([^<]*)/gu)].map(([, text]) => text);
    expect(turned(arabic)).toEqual(['صباح الخير ']);
    expect(turned(english)).toEqual(['שלום']);
    expect(arabic).toContain('<w:lang w:bidi="ar"/>');
  });

  it.each([
    ['zh', 'zh-CN'],
    ['ja', 'ja-JP'],
    ['ko', 'ko-KR'],
  ])('selects the character forms of %s', async (language, tag) => {
    const [spoken = ''] = sourcesOf(await bodyOf(buildDocument([{ text: '骨', language }]))).slice(-1);
    expect(spoken).toMatch(/<w:rFonts w:hint="eastAsia" w:eastAsia="[^"]+"\/>/);
    expect(spoken).toContain(`<w:lang w:eastAsia="${tag}"/>`);
  });

  it('writes speaker names, right to left where their script is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(arbitrarySpeakerName, fc.constantFrom('<b>', ']]>', '李'.repeat(80))),
        async (name) => {
          const spoken = buildDocument([{ text: 'Good morning.', speaker: 'SPEAKER_1' }]);
          const written = paragraphsOf(await bodyOf(addNamedSpeakers(spoken, name)));
          expect(written.slice(-2)).toEqual([name, '00:00:00\tGood morning.']);
        },
      ),
      { numRuns: 30 },
    );
    const spoken = buildDocument([{ text: 'Good morning.', speaker: 'SPEAKER_1' }]);
    const isTurned = async (name: string) => /<w:rtl\/>/.test(await bodyOf(addNamedSpeakers(spoken, name)));
    expect([await isTurned('עדה'), await isTurned('Ada')]).toEqual([true, false]);
  });

  it('is well-formed XML and contains every word of any text', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        const spoken = paragraphsOf(await bodyOf(document))
          .slice(2)
          .filter((line) => !/^(SPEAKER_\d|Unknown speaker)$/.test(line));
        for (const line of spoken) expect(line).toMatch(/^\d\d:\d\d:\d\d\t/);
        const texts = document.segments.map(({ text }) => sanitizeToSingleLine(text));
        const compact = (lines: string[]) => lines.join('').replace(/\s/gu, '');
        expect(compact(spoken.map((line) => line.slice(9)))).toBe(compact(texts));
      }),
      { numRuns: 40 },
    );
  });

  it('contains every referenced part, well-formed', async () => {
    const archive = await archiveOf(buildDocument([]));
    const names = Object.keys(archive.files);
    for (const name of names) expect(XMLValidator.validate(await read(archive, name)), name).toBe(true);
    const types = await read(archive, '[Content_Types].xml');
    for (const [, part = ''] of types.matchAll(/PartName="\/([^"]+)"/gu)) expect(names).toContain(part);
    const relations = await read(archive, 'word/_rels/document.xml.rels');
    for (const [, target] of relations.matchAll(/Target="([^"]+)"/gu))
      expect(names).toContain(`word/${target}`);
    expect(await read(archive, 'word/footer.xml')).toMatch(/ PAGE .* NUMPAGES /su);
    const styles = await read(archive, 'word/styles.xml');
    const body = await read(archive, 'word/document.xml');
    for (const [, style] of body.matchAll(/w:[pr]Style w:val="(\w+)"/gu))
      expect(styles).toContain(`w:styleId="${style}"`);
  });

  it('returns the same bytes for the same transcript', async () => {
    const document = buildDocument([{ text: 'Twice.' }]);
    expect(await docxExporter.render(document)).toEqual(await docxExporter.render(document));
    const undated = { ...document, created_at: 'unknown' };
    expect(await docxExporter.render(undated)).toEqual(await docxExporter.render(undated));
  });
});
