import type { TranscriptDocument } from '../document.js';
import type { Exporter } from './exporter.js';

/** Characters that are gathered before they are handed on. */
const PIECE = 64 * 1024;

/** The document itself, on one line. */
export const jsonExporter: Exporter = {
  format: 'json',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  render: (document: TranscriptDocument) => Promise.resolve(Buffer.concat([...jsonPieces(document)])),
};

/** The `json` file in pieces, segment by segment: that of ten hours has more than ten megabytes. */
export function* jsonPieces(document: TranscriptDocument): Generator<Buffer> {
  let text = '';
  for (const part of jsonParts(document)) {
    text += part;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

function* jsonParts(document: TranscriptDocument): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* listParts(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield '}\n';
}

function* listParts(items: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield items.length === 0 ? '[]' : ']';
}
