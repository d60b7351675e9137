import type { TranscriptDocument } from '../../document.js';
import type { Exporter } from '../exporter.js';
import { toParagraphs, toSummary } from '../paragraphs.js';
import { toBody } from './body.js';
import { FIXED_PARTS, toProperties } from './parts.js';

const TITLE = 'Transcript';
/** Where an archive's clock begins. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1));

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
  for (const [name, content] of Object.entries(toParts(document)))
    archive.file(name, content, { date: createdAt(document), createFolders: false });
  return archive.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

function toParts(document: TranscriptDocument): Record<string, string> {
  return {
    ...FIXED_PARTS,
    'docProps/core.xml': toProperties(TITLE, createdAt(document)),
    'word/document.xml': toBody(TITLE, toSummary(document), toParagraphs(document)),
  };
}

/** The same for the same transcript, so that the file is, too. */
function createdAt({ created_at }: TranscriptDocument): Date {
  const created = new Date(created_at);
  return created.getTime() >= NO_DATE.getTime() ? created : NO_DATE;
}
