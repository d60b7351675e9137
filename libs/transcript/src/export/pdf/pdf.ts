import type { TranscriptDocument } from '../../document.js';
import type { Exporter } from '../exporter.js';
import { toParagraphs, toSummary } from '../paragraphs.js';
import { FONT_FAMILIES, fontFiles } from './fonts.js';
import { TEMPLATE } from './template.js';

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
  const data = {
    title: 'Transcript',
    summary: toSummary(document),
    fonts: FONT_FAMILIES,
    paragraphs: toParagraphs(document),
  };
  const pages = { mainFileContent: TEMPLATE, inputs: { transcript: JSON.stringify(data) } };
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
