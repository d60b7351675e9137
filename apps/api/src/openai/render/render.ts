import { exporterFor, type TranscriptDocument } from '@app/transcript';
import type { Wish } from '../form/transcription-form.js';
import { diarizedJson } from './diarized-json.js';
import { usageOf } from './usage.js';
import { verboseJson } from './verbose-json.js';

export interface Rendition {
  contentType: string;
  body: string;
}

/** The transcript in the format that was asked for. */
export async function render(
  document: TranscriptDocument,
  wish: Pick<Wish, 'format' | 'granularities'>,
): Promise<Rendition> {
  switch (wish.format) {
    case 'json':
      return json({ text: document.text, usage: usageOf(document) });
    case 'verbose_json':
      return json(verboseJson(document, wish));
    case 'diarized_json':
      return json(diarizedJson(document));
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${document.text}\n` };
    case 'srt':
    case 'vtt': {
      const exporter = exporterFor(wish.format);
      return { contentType: exporter.contentType, body: (await exporter.render(document)).toString('utf8') };
    }
  }
}

function json(value: object): Rendition {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}
