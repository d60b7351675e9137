import { docxExporter } from './docx/docx-exporter.js';
import { type Exporter, FormatUnavailableError } from './exporter.js';
import type { OutputType } from './output-types.js';
import { jsonExporter } from './json-exporter.js';
import { pdfExporter } from './pdf/pdf-exporter.js';
import { srtExporter } from './srt-exporter.js';
import { txtExporter } from './txt-exporter.js';
import { vttExporter } from './vtt-exporter.js';

/** A build that leaves a format out leaves its line out here. */
const EXPORTERS: ReadonlyMap<OutputType, Exporter> = new Map(
  [jsonExporter, txtExporter, srtExporter, vttExporter, docxExporter, pdfExporter].map((exporter) => [
    exporter.format,
    exporter,
  ]),
);

/** The formats that can be written. Ask before a job is taken. */
export const AVAILABLE_FORMATS: readonly OutputType[] = [...EXPORTERS.keys()];

/** @throws FormatUnavailableError when this build has no exporter for the format */
export function findExporter(format: OutputType): Exporter {
  const exporter = EXPORTERS.get(format);
  if (!exporter) throw new FormatUnavailableError(format);
  return exporter;
}
