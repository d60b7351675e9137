import type { TranscriptDocument } from '../document.js';
import type { Exporter } from './exporter.js';

/** The document itself, on one line. */
export const jsonExporter: Exporter = {
  format: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.from(`${JSON.stringify(document)}\n`)),
};
