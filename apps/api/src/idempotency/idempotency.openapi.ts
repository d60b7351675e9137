import type { ErrorCode } from '@app/errors';
import { ApiHeader } from '@nestjs/swagger';
import { headerRefs } from '../openapi/headers.js';
import { KEY_HEADER, MAX_KEY_LENGTH } from './idempotency-key.js';

/** The header of a route that has a `MayRepeat` parameter. */
export function ApiRepeatable(): MethodDecorator {
  return ApiHeader({
    name: KEY_HEADER,
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, examples: ['5b1d7a9e-upload-17'] },
    description:
      'A name that you choose for this request, printable ASCII. For a day, the same request with the same key returns the first response again and creates nothing.',
  });
}

/** What such a route refuses besides. */
export const REPEAT_PROBLEMS: readonly ErrorCode[] = ['idempotency_key_in_use', 'idempotency_key_reused'];

export const REPLAYED_HEADER = headerRefs('Idempotency-Replayed');
