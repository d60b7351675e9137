import JSZip from 'jszip';
import { extractText } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { buildMultilingualDocument } from '../testing/multilingual-document.js';
import type { TranscriptFormat } from './exporter.js';
import { getExporter } from './exporter-registry.js';

/** What is compared: text formats as they are; of docx its text part, a paragraph a line; of pdf what is read from it. */
const SHOWN: Record<TranscriptFormat, (file: Buffer) => Promise<string> | string> = {
  json: (file) => file.toString('utf8'),
  txt: (file) => file.toString('utf8'),
  srt: (file) => file.toString('utf8'),
  vtt: (file) => file.toString('utf8'),
  docx: async (file) => {
    const body = (await JSZip.loadAsync(file)).file('word/document.xml');
    return `${(await body?.async('string'))?.replaceAll('</w:p>', '</w:p>\n')}\n`;
  },
  pdf: async (file) => {
    const { totalPages, text } = await extractText(new Uint8Array(file), { mergePages: true });
    return `${totalPages} pages\n\n${text}\n`;
  },
};
const EXTENSIONS: Partial<Record<TranscriptFormat, string>> = { docx: 'docx.xml', pdf: 'pdf.txt' };

/** A change of these files is a change of what callers get: look at it, then write them anew with `-u`. */
describe('the multilingual sample transcript', () => {
  it.each(Object.keys(SHOWN) as TranscriptFormat[])(
    'is rendered as %s exactly as in the golden file',
    async (format) => {
      const file = await getExporter(format).render(buildMultilingualDocument());
      const name = `transcript.${EXTENSIONS[format] ?? format}`;
      await expect(await SHOWN[format](file)).toMatchFileSnapshot(`../testing/golden/${name}`);
    },
  );
});
