import { isDatabaseUnavailable } from '@app/database';
import { invalidField, ServiceError } from '@app/errors';
import { QueueUnavailableError } from '@app/jobs';
import { ObjectMissing, StoreUnavailable } from '@app/storage';
import { HttpException } from '@nestjs/common';

const RETRY_AFTER_SECONDS = 2;

/** Whatever was thrown -> the refusal that the caller sees. Nothing of the original text leaves unless it was meant to. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isAway(error))
    return new ServiceError('service_unavailable', { cause: error, retryAfter: RETRY_AFTER_SECONDS });
  // Rows outlive their objects for a moment where both are deleted.
  if (error instanceof ObjectMissing)
    return new ServiceError('object_not_found', { detail: 'It is no longer there.', cause: error });
  const status = statusOf(error);
  if (status === 404) return new ServiceError('not_found');
  if (status !== undefined && status >= 400 && status < 500)
    return invalidField('request', 'is not of the right form');
  return new ServiceError('internal_error', { cause: error });
}

function isAway(error: unknown): boolean {
  return (
    isDatabaseUnavailable(error) ||
    error instanceof StoreUnavailable ||
    error instanceof QueueUnavailableError
  );
}

/** Of Nest's and of Fastify's own errors. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}
