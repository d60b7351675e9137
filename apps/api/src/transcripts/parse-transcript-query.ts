import { DEFAULT_CAPTION_LAYOUT, TRANSCRIPT_FORMATS, type TranscriptFormat } from '@app/transcript';
import {
  createChoiceParser,
  createWholeNumberParser,
  QueryParameterReader,
} from '../validation/query-parameter-reader.js';
import type { TranscriptFormatOptions } from './transcript-response.service.js';

/** Limits of `max_line_chars`; a shorter line holds few words. */
export const CAPTION_LINE_CHARS_RANGE = { min: 10, max: 200 };
export const MAX_CAPTION_LINES = 6;

const CAPTION_PARAMETERS = ['max_line_chars', 'max_lines'];
const CAPTION_FORMATS: readonly TranscriptFormat[] = ['srt', 'vtt'];

/**
 * Parses `format`, and `max_line_chars` and `max_lines` of srt and vtt.
 * @throws ServiceError 400 naming invalid, duplicate and unknown parameters
 */
export function parseTranscriptQuery(
  query: Readonly<Record<string, unknown>>,
  defaultFormat: TranscriptFormat,
): TranscriptFormatOptions {
  const reader = new QueryParameterReader(query, ['format', ...CAPTION_PARAMETERS]);
  const format = reader.read('format', createChoiceParser(TRANSCRIPT_FORMATS), defaultFormat);
  const { lineColumns, maxLines } = DEFAULT_CAPTION_LAYOUT;
  const captionLayout = {
    lineColumns: reader.read(
      'max_line_chars',
      createWholeNumberParser(CAPTION_LINE_CHARS_RANGE.min, CAPTION_LINE_CHARS_RANGE.max),
      lineColumns,
    ),
    maxLines: reader.read('max_lines', createWholeNumberParser(1, MAX_CAPTION_LINES), maxLines),
  };
  const sent = CAPTION_PARAMETERS.filter((name) => query[name] !== undefined);
  if (!CAPTION_FORMATS.includes(format))
    reader.addErrors(
      ...sent.map((field) => ({ field, message: `applies to ${CAPTION_FORMATS.join(' and ')} only` })),
    );
  reader.assertValid();
  return { format, captionLayout: sent.length > 0 ? captionLayout : undefined };
}
