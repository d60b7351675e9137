import { type Exporter, FormatUnavailable } from './exporter.js';
import type { OutputType } from './format.js';
import { jsonExporter } from './json.js';
import { srtExporter } from './srt.js';
import { txtExporter } from './txt.js';
import { vttExporter } from './vtt.js';

const EXPORTERS: Readonly<Record<OutputType, Exporter | null>> = {
  json: jsonExporter,
  txt: txtExporter,
  srt: srtExporter,
  vtt: vttExporter,
  docx: null,
  pdf: null,
};

/** The formats that can be written, in the order of the contract. Ask before a job is taken. */
export const availableFormats: readonly OutputType[] = Object.values(EXPORTERS).flatMap((exporter) =>
  exporter ? [exporter.format] : [],
);

/** @throws FormatUnavailable when this build has no exporter for the format */
export function exporterFor(format: OutputType): Exporter {
  const exporter = EXPORTERS[format];
  if (!exporter) throw new FormatUnavailable(format);
  return exporter;
}
