import { docxExporter } from './docx/docx.js';
import { type Exporter, FormatUnavailable } from './exporter.js';
import type { OutputType } from './format.js';
import { jsonExporter } from './json.js';
import { pdfExporter } from './pdf/pdf.js';
import { srtExporter } from './srt.js';
import { txtExporter } from './txt.js';
import { vttExporter } from './vtt.js';

/** A build that leaves a format out leaves its line out here. */
const EXPORTERS: ReadonlyMap<OutputType, Exporter> = new Map(
  [jsonExporter, txtExporter, srtExporter, vttExporter, docxExporter, pdfExporter].map((exporter) => [
    exporter.format,
    exporter,
  ]),
);

/** The formats that can be written. Ask before a job is taken. */
export const availableFormats: readonly OutputType[] = [...EXPORTERS.keys()];

/** @throws FormatUnavailable when this build has no exporter for the format */
export function exporterFor(format: OutputType): Exporter {
  const exporter = EXPORTERS.get(format);
  if (!exporter) throw new FormatUnavailable(format);
  return exporter;
}
