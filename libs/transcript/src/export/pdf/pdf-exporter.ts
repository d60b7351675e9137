import type { TranscriptDocument } from '../../transcript-document.js';
import type { Exporter } from '../exporter.js';
import { extractPrimaryLanguageSubtag } from '../../text/extract-primary-language-subtag.js';
import { buildParagraphs, formatDocumentSummary } from '../paragraphs.js';
import { FONT_FALLBACK_LISTS_BY_CJK_VARIANT, listFontFiles, detectCjkVariant } from './fonts.js';
import { TYPST_TEMPLATE } from './typst-template.js';

/** The first paragraph of each interval has a bookmark. */
const BOOKMARK_INTERVAL_SECONDS = 600;

/** Typeset by Typst, with the fonts of npm packages instead of those of the system. */
export const pdfExporter: Exporter = {
  format: 'pdf',
  extension: 'pdf',
  contentType: 'application/pdf',
  isText: false,
  render,
};

async function render(document: TranscriptDocument): Promise<Buffer> {
  // Loaded on first use: many installations never need the native library.
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler');
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: listFontFiles() }] });
  const pages = {
    mainFileContent: TYPST_TEMPLATE,
    inputs: { transcript: JSON.stringify(toTemplateData(document)) },
  };
  const created = Date.parse(document.created_at);
  try {
    return compiler.pdf(
      pages,
      Number.isNaN(created) ? {} : { creationTimestamp: Math.floor(created / 1000) },
    );
  } finally {
    // Otherwise its cache keeps every transcript.
    compiler.evictCache(0);
  }
}

function toTemplateData(document: TranscriptDocument) {
  const language = extractPrimaryLanguageSubtag(document.language) ?? 'en';
  const paragraphs = buildParagraphs(document);
  const intervals = paragraphs.map(({ start }) => Math.floor(start / BOOKMARK_INTERVAL_SECONDS));
  return {
    title: 'Transcript',
    language,
    cjkVariant: detectCjkVariant('', language),
    summary: formatDocumentSummary(document),
    fonts: FONT_FALLBACK_LISTS_BY_CJK_VARIANT,
    paragraphs: paragraphs.map((paragraph, index) => ({
      ...paragraph,
      bookmark: intervals[index] !== (intervals[index - 1] ?? 0),
      cjkVariant: detectCjkVariant(paragraph.text, paragraph.language),
      headingCjkVariant: detectCjkVariant(paragraph.heading ?? '', paragraph.language),
    })),
  };
}
