import { createInvalidFieldError } from '@app/errors';
import type { IncomingMessage } from 'node:http';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * @returns the key, or null without the header
 * @throws ServiceError `validation_failed` naming the header when it is empty, too long, invalid or sent twice
 */
export function parseIdempotencyKey({
  headersDistinct,
}: Pick<IncomingMessage, 'headersDistinct'>): string | null {
  const values = headersDistinct[IDEMPOTENCY_KEY_HEADER.toLowerCase()];
  if (values === undefined) return null;
  const [key = ''] = values;
  if (values.length > 1) throw createInvalidFieldError(IDEMPOTENCY_KEY_HEADER, 'must be sent once');
  if (key.length > MAX_IDEMPOTENCY_KEY_LENGTH || !PRINTABLE.test(key))
    throw createInvalidFieldError(
      IDEMPOTENCY_KEY_HEADER,
      `must be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters`,
    );
  return key;
}
