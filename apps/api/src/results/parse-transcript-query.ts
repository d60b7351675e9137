import { invalidFieldsError } from '@app/errors';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '@app/transcript';
import { findUnknownParameterErrors } from '../validation/find-unknown-parameters.js';

/**
 * Parses the parameter `format`.
 * @throws ServiceError 400 naming an invalid or duplicate `format` and unknown parameters
 */
export function parseTranscriptQuery(
  query: Readonly<Record<string, unknown>>,
  defaultFormat: TranscriptFormat,
): TranscriptFormat {
  const errors = findUnknownParameterErrors(query, ['format']);
  const format = TRANSCRIPT_FORMATS.find((each) => each === (query['format'] ?? defaultFormat));
  if (format === undefined)
    errors.push({ field: 'format', message: `must be one of: ${TRANSCRIPT_FORMATS.join(', ')}` });
  else if (errors.length === 0) return format;
  throw invalidFieldsError(errors, 'invalid_parameter');
}
