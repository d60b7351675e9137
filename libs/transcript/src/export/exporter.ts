import type { CaptionLayout } from './cues/caption-layout.js';
import type { TranscriptDocument } from '../transcript-document.js';

export const TRANSCRIPT_FORMATS = ['json', 'txt', 'srt', 'vtt', 'docx', 'pdf'] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Equal documents give equal files. */
export interface Exporter {
  readonly format: TranscriptFormat;
  /** Without the dot. */
  readonly extension: string;
  /** For the Content-Type header, with the character set. */
  readonly contentType: string;
  /** Whether the file is text, in UTF-8. */
  readonly isText: boolean;
  /** An empty transcript is rendered, too. @param layout of captions; other formats ignore it */
  render(document: TranscriptDocument, layout?: CaptionLayout): Promise<Buffer>;
}

export class NoExporterForFormatError extends Error {
  override readonly name = 'NoExporterForFormatError';
  constructor(readonly format: TranscriptFormat) {
    super(`The output format ${format} is not available.`);
  }
}
