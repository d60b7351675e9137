import type { TranscriptDocument } from '../../transcript-document.js';
import type { Exporter } from '../exporter.js';
import { buildParagraphs, formatDocumentSummary } from '../paragraphs.js';
import { buildDocumentXml } from './document-xml.js';
import { FIXED_PARTS, buildCoreProperties } from './docx-parts.js';

const TITLE = 'Transcript';
/** The earliest date that a ZIP archive can store. */
const EARLIEST_ZIP_DATE = new Date(Date.UTC(1980, 0, 1));

export const docxExporter: Exporter = {
  format: 'docx',
  extension: 'docx',
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  isText: false,
  render,
};

async function render(document: TranscriptDocument): Promise<Buffer> {
  // Loaded on first use: many installations never need it.
  const { default: JSZip } = await import('jszip');
  const archive = new JSZip();
  for (const [name, content] of Object.entries(buildParts(document)))
    archive.file(name, content, { date: createdAt(document), createFolders: false });
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function buildParts(document: TranscriptDocument): Record<string, string> {
  return {
    ...FIXED_PARTS,
    'docProps/core.xml': buildCoreProperties(TITLE, createdAt(document)),
    'word/document.xml': buildDocumentXml(TITLE, formatDocumentSummary(document), buildParagraphs(document)),
  };
}

/** Equal transcripts give equal files. */
function createdAt({ created_at }: TranscriptDocument): Date {
  const created = new Date(created_at);
  return created.getTime() >= EARLIEST_ZIP_DATE.getTime() ? created : EARLIEST_ZIP_DATE;
}
