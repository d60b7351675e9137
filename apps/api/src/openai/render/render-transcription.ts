import { findExporter, type TranscriptDocument } from '@app/transcript';
import type { TranscriptionParams } from '../form/parse-transcription-params.js';
import { toDiarizedJson } from './to-diarized-json.js';
import { toUsage } from './to-usage.js';
import { toVerboseJson } from './to-verbose-json.js';

export interface RenderedTranscription {
  contentType: string;
  body: string;
}

/** Renders the transcript in the requested format. */
export async function renderTranscription(
  document: TranscriptDocument,
  params: Pick<TranscriptionParams, 'format' | 'granularities'>,
): Promise<RenderedTranscription> {
  switch (params.format) {
    case 'json':
      return toJsonBody({ text: document.text, usage: toUsage(document) });
    case 'verbose_json':
      return toJsonBody(toVerboseJson(document, params));
    case 'diarized_json':
      return toJsonBody(toDiarizedJson(document));
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${document.text}\n` };
    case 'srt':
    case 'vtt': {
      const exporter = findExporter(params.format);
      return { contentType: exporter.contentType, body: (await exporter.render(document)).toString('utf8') };
    }
  }
}

function toJsonBody(value: object): RenderedTranscription {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}
