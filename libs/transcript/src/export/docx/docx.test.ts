import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import type { TranscriptDocument } from '../../document.js';
import { anyDocument, anyName } from '../../testing/arbitraries.js';
import { documentOf, named } from '../../testing/samples.js';
import { cleanText } from '../../text/clean.js';
import { docxExporter } from './docx.js';

async function bodyOf(document: TranscriptDocument): Promise<string> {
  const archive = await JSZip.loadAsync(await docxExporter.render(document));
  const body = await archive.file('word/document.xml')?.async('string');
  if (body === undefined) throw new Error('The archive has no document.');
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

const paragraphsOf = (body: string) =>
  (body.match(/<w:p>.*?<\/w:p>/gsu) ?? []).map((xml) => textOf(parser.parse(xml)));

describe('docx', () => {
  it('holds every text with its time and speaker, a paragraph a segment', async () => {
    const document = documentOf([
      { start: 0.4, text: 'Good morning, everyone.', speaker: 'SPEAKER_1' },
      { start: 3725, text: 'We are done.' },
    ]);
    expect(paragraphsOf(await bodyOf(document))).toEqual([
      'Transcript',
      '2026-01-02 · 00:10:00 · en',
      '[00:00:00] SPEAKER_1: Good morning, everyone.',
      '[01:02:05] We are done.',
    ]);
  });

  it('turns paragraphs of right-to-left scripts around, and no others', async () => {
    const body = await bodyOf(documentOf([{ text: 'صباح الخير', language: 'ar' }, { text: 'Good morning' }]));
    const turned = (body.match(/<w:p>.*?<\/w:p>/gsu) ?? []).slice(-2).map((xml) => xml.includes('<w:bidi/>'));
    expect(turned).toEqual([true, false]);
  });

  it('shows the names of speakers, turned around where they read so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyName, fc.constantFrom('<b>', ']]>', '李'.repeat(80))), async (name) => {
        const spoken = documentOf([{ text: 'Good morning.', speaker: 'SPEAKER_1' }]);
        const written = paragraphsOf(await bodyOf(named(spoken, name)));
        expect(written.at(-1)).toBe(`[00:00:00] ${name}: Good morning.`);
      }),
      { numRuns: 30 },
    );
    const spoken = documentOf([{ text: 'Good morning.', speaker: 'SPEAKER_1' }]);
    const isTurned = async (name: string) => /<w:rtl\/>/.test(await bodyOf(named(spoken, name)));
    expect([await isTurned('עדה'), await isTurned('Ada')]).toEqual([true, false]);
  });

  it('is well-formed and holds the same words, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const written = paragraphsOf(await bodyOf(document)).slice(2);
        const spoken = written.map((line) => line.replace(/^\[[\d:]+\] (SPEAKER_\d: )?/, ''));
        expect(spoken).toEqual(document.segments.map(({ text }) => cleanText(text)));
      }),
      { numRuns: 40 },
    );
  });
});
