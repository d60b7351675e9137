import { ServiceError } from '@app/errors';
import { AVAILABLE_FORMATS, type OutputType } from '@app/transcript';
import { findUnknownParameters } from '../validation/find-unknown-parameters.js';

/**
 * Parses the parameter `format`.
 * @throws ServiceError 400 naming an invalid or duplicate `format` and unknown parameters
 */
export function parseTranscriptFormat(
  query: Readonly<Record<string, unknown>>,
  defaultFormat: OutputType,
): OutputType {
  const errors = findUnknownParameters(query, ['format']);
  const format = AVAILABLE_FORMATS.find((each) => each === (query['format'] ?? defaultFormat));
  if (format === undefined)
    errors.push({ field: 'format', message: `must be one of: ${AVAILABLE_FORMATS.join(', ')}` });
  else if (errors.length === 0) return format;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ServiceError('invalid_parameter', { detail, errors });
}
