import type { TranscriptDocument } from '../../transcript-document.js';
import type { Exporter } from '../exporter.js';
import { buildParagraphs, buildSummary } from '../paragraphs.js';
import { buildDocumentXml } from './document-xml.js';
import { FIXED_PARTS, buildCoreProperties } from './docx-parts.js';

const TITLE = 'Transcript';
/** Where an archive's clock begins. */
const EARLIEST_ZIP_DATE = new Date(Date.UTC(1980, 0, 1));

/** A text document to edit: times and speakers beside every paragraph, right to left where the script is. */
export const docxExporter: Exporter = {
  format: 'docx',
  extension: 'docx',
  contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  render,
};

async function render(document: TranscriptDocument): Promise<Buffer> {
  // Loaded when first needed: many services never write one.
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
    'word/document.xml': buildDocumentXml(TITLE, buildSummary(document), buildParagraphs(document)),
  };
}

/** The same for the same transcript, so that the file is, too. */
function createdAt({ created_at }: TranscriptDocument): Date {
  const created = new Date(created_at);
  return created.getTime() >= EARLIEST_ZIP_DATE.getTime() ? created : EARLIEST_ZIP_DATE;
}
