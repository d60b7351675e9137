import type { TranscriptDocument } from '../../document.js';
import type { Exporter } from '../exporter.js';
import { languageTag, toParagraphs, toSummary } from '../paragraphs.js';
import { FONT_FAMILIES, fontFiles, signForms } from './fonts.js';
import { TEMPLATE } from './template.js';

/** Seconds. The first paragraph after each of these has a bookmark. */
const BOOKMARK_EVERY = 600;

/** Pages to read and print, set by Typst with the fonts of the installation, not of the system. */
export const pdfExporter: Exporter = {
  format: 'pdf',
  extension: 'pdf',
  contentType: 'application/pdf',
  render,
};

async function render(document: TranscriptDocument): Promise<Buffer> {
  // Loaded when first needed: the native library is of no use to anyone who never asks for a page.
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler');
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: fontFiles() }] });
  const pages = { mainFileContent: TEMPLATE, inputs: { transcript: JSON.stringify(toPages(document)) } };
  const created = Date.parse(document.created_at);
  try {
    return compiler.pdf(
      pages,
      Number.isNaN(created) ? {} : { creationTimestamp: Math.floor(created / 1000) },
    );
  } finally {
    // Otherwise it remembers every transcript it has ever set.
    compiler.evictCache(0);
  }
}

/** What the template asks for. */
function toPages(document: TranscriptDocument) {
  const language = languageTag(document.language) ?? 'en';
  const paragraphs = toParagraphs(document);
  const tenths = paragraphs.map(({ start }) => Math.floor(start / BOOKMARK_EVERY));
  return {
    title: 'Transcript',
    language,
    signs: signForms('', language),
    summary: toSummary(document),
    fonts: FONT_FAMILIES,
    paragraphs: paragraphs.map((paragraph, index) => ({
      ...paragraph,
      bookmark: tenths[index] !== (tenths[index - 1] ?? 0),
      signs: signForms(paragraph.text, paragraph.language),
      speakerSigns: signForms(paragraph.speaker ?? '', paragraph.language),
    })),
  };
}
