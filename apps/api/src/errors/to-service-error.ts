import { isDatabaseUnavailableError } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import { QueueUnavailableError } from '@app/jobs';
import { ObjectNotFoundError, StoreUnavailableError } from '@app/storage';
import { HttpException } from '@nestjs/common';

const RETRY_AFTER_SECONDS = 2;

/** Maps any thrown value to the error for the caller, without disclosing its message. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDependencyUnavailable(error))
    return new ServiceError('service_unavailable', { cause: error, retryAfter: RETRY_AFTER_SECONDS });
  // During a deletion a row briefly outlives its object.
  if (error instanceof ObjectNotFoundError)
    return new ServiceError('object_not_found', { detail: 'It is no longer there.', cause: error });
  const status = getHttpStatus(error);
  if (status === 404) return new ServiceError('not_found');
  if (status !== undefined && status >= 400 && status < 500)
    return createInvalidFieldError('request', 'is not of the right form');
  return new ServiceError('internal_error', { cause: error });
}

function isDependencyUnavailable(error: unknown): boolean {
  return (
    isDatabaseUnavailableError(error) ||
    error instanceof StoreUnavailableError ||
    error instanceof QueueUnavailableError
  );
}

/** Status of an error of Nest or Fastify. */
function getHttpStatus(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}
