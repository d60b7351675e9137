import { createInvalidFieldError } from '@app/errors';
import { parseTimeParameter } from '../parse-query-parameters.js';

/** @throws ServiceError `validation_failed` for a time that is none, or not in the future */
export function parseKeyExpiry(text: string | null): Date | null {
  if (text === null) return null;
  const time = parseTimeParameter('expires_at', text);
  if (time.getTime() <= Date.now()) throw createInvalidFieldError('expires_at', 'must be in the future');
  return time;
}
