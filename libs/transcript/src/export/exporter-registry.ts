import { docxExporter } from './docx/docx-exporter.js';
import { type Exporter, NoExporterForFormatError, type TranscriptFormat } from './exporter.js';
import { jsonExporter } from './json-exporter.js';
import { pdfExporter } from './pdf/pdf-exporter.js';
import { srtExporter } from './srt-exporter.js';
import { txtExporter } from './txt-exporter.js';
import { vttExporter } from './vtt-exporter.js';

const EXPORTERS: ReadonlyMap<TranscriptFormat, Exporter> = new Map(
  [jsonExporter, txtExporter, srtExporter, vttExporter, docxExporter, pdfExporter].map((exporter) => [
    exporter.format,
    exporter,
  ]),
);

/** @throws NoExporterForFormatError */
export function getExporter(format: TranscriptFormat): Exporter {
  const exporter = EXPORTERS.get(format);
  if (!exporter) throw new NoExporterForFormatError(format);
  return exporter;
}
