import type { ErrorCode } from '@app/errors';
import { ApiHeader } from '@nestjs/swagger';
import { toHeaderRefs } from '../openapi/headers.js';
import { IDEMPOTENCY_KEY_HEADER, MAX_IDEMPOTENCY_KEY_LENGTH } from './parse-idempotency-key.js';

/** Documents the header of a route with `@CurrentScopedIdempotencyKey()`. */
export function ApiIdempotencyKeyHeader(): MethodDecorator {
  return ApiHeader({
    name: IDEMPOTENCY_KEY_HEADER,
    required: false,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
      examples: ['5b1d7a9e-upload-17'],
    },
    description:
      'A name that you choose for this request, printable ASCII. For a day, the same request with the same key returns the first response again and creates nothing.',
  });
}

export const IDEMPOTENCY_ERROR_CODES: readonly ErrorCode[] = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
];

export const IDEMPOTENCY_REPLAYED_HEADER_REF = toHeaderRefs('Idempotency-Replayed');
