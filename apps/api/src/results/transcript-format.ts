import { ServiceError } from '@app/errors';
import { availableFormats, type OutputType } from '@app/transcript';

/**
 * The format that a query asks for.
 * @param usual what is meant when it asks for none
 * @throws ServiceError 400 naming `format`; a parameter given twice is out of form
 */
export function readFormat(format: unknown, usual: OutputType): OutputType {
  if (format === undefined) return usual;
  const known = availableFormats.find((each) => each === format);
  if (known !== undefined) return known;
  const message = `must be one of: ${availableFormats.join(', ')}`;
  throw new ServiceError('query_invalid', {
    detail: `format: ${message}`,
    errors: [{ field: 'format', message }],
  });
}
