import type { HttpTransport } from '../http/http-transport.js';
import type { OutputType, SignalOptions, TranscriptInFormat } from '../types.js';

export interface TranscriptOptions<Format extends OutputType> extends SignalOptions {
  /** Default `json`. */
  format?: Format;
  /** For srt and vtt: 10 to 200, default 42. */
  max_line_chars?: number;
  /** For srt and vtt: 1 to 6, default 2. */
  max_lines?: number;
}

export class Transcripts {
  constructor(private readonly transport: HttpTransport) {}

  /** The transcript of a completed job in any format, with the names of its speakers. */
  async get<Format extends OutputType = 'json'>(
    jobId: string,
    { format, max_line_chars: chars, max_lines: lines, signal }: TranscriptOptions<Format> = {},
  ): Promise<TranscriptInFormat<Format>> {
    const wanted = format ?? ('json' as Format);
    const query = new URLSearchParams({ format: wanted });
    if (chars !== undefined) query.set('max_line_chars', String(chars));
    if (lines !== undefined) query.set('max_lines', String(lines));
    const path = `api/v1/jobs/${encodeURIComponent(jobId)}/transcript`;
    return parseTranscript(await this.transport.requestBytes({ method: 'GET', path, query, signal }), wanted);
  }

  /** The transcript as it was stored. @param downloadUrl of a job, an event or a webhook @param format its output type */
  async download<Format extends OutputType>(
    downloadUrl: string,
    format: Format,
    { signal }: SignalOptions = {},
  ): Promise<TranscriptInFormat<Format>> {
    return parseTranscript(await this.transport.download(downloadUrl, signal), format);
  }
}

function parseTranscript<Format extends OutputType>(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
): TranscriptInFormat<Format> {
  if (format === 'docx' || format === 'pdf') return bytes as TranscriptInFormat<Format>;
  const text = new TextDecoder().decode(bytes);
  return (format === 'json' ? JSON.parse(text) : text) as TranscriptInFormat<Format>;
}
