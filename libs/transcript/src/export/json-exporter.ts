import type { TranscriptDocument } from '../transcript-document.js';
import type { Exporter } from './exporter.js';

const CHUNK_CHARACTERS = 64 * 1024;

export const jsonExporter: Exporter = {
  format: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  isText: true,
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.concat([...renderJsonBuffers(document)])),
};

/** The file of ten hours has more than ten megabytes. */
export function* renderJsonBuffers(document: TranscriptDocument): Generator<Buffer> {
  let text = '';
  for (const part of serializeDocument(document)) {
    text += part;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function* serializeDocument(document: TranscriptDocument): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* serializeArray(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield '}\n';
}

function* serializeArray(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield items.length === 0 ? '[]' : ']';
}
