import type { ErrorCode } from '@app/errors';
import { IDEMPOTENCY_ERROR_CODES } from '../idempotency/idempotency.openapi.js';

/** Of the routes that create a job. */
export const JOB_CREATION_ERROR_CODES: readonly ErrorCode[] = [
  'insufficient_credits',
  'file_too_large',
  'validation_failed',
  'quota_exceeded',
  ...IDEMPOTENCY_ERROR_CODES,
];
