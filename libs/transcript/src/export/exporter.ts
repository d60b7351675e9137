import type { TranscriptDocument } from '../transcript-document.js';
import type { OutputType } from './output-types.js';

/** Writes a transcript in one format. Pure: the same document gives the same text. */
export interface Exporter {
  readonly format: OutputType;
  /** Without the dot. */
  readonly extension: string;
  /** For the Content-Type header, character set included. */
  readonly contentType: string;
  /** The whole file, UTF-8 where it is text. Works for any document, an empty transcript too. */
  render(document: TranscriptDocument): Promise<Buffer>;
}

/** A format of the contract that this build cannot write. Known before any work is done. */
export class FormatUnavailableError extends Error {
  override readonly name = 'FormatUnavailableError';
  constructor(readonly format: OutputType) {
    super(`The output format ${format} is not available.`);
  }
}
