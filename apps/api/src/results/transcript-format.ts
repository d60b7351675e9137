import { ServiceError } from '@app/errors';
import { availableFormats, type OutputType } from '@app/transcript';
import { unknownParameters } from '../validation/unknown-parameters.js';

/**
 * The format that a query asks for.
 * @param usual what is meant when it asks for none
 * @throws ServiceError 400 naming `format`, also one that is given twice, and parameters that are unknown
 */
export function readFormat(query: Readonly<Record<string, unknown>>, usual: OutputType): OutputType {
  const errors = unknownParameters(query, ['format']);
  const format = availableFormats.find((each) => each === (query['format'] ?? usual));
  if (format === undefined)
    errors.push({ field: 'format', message: `must be one of: ${availableFormats.join(', ')}` });
  else if (errors.length === 0) return format;
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ServiceError('invalid_parameter', { detail, errors });
}
