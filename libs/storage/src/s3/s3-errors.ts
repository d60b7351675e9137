import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';

const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
]);

/** Errors of the store, its settings or its credentials, not of a caller. */
const UNAVAILABLE_ERROR_NAMES = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AuthorizationHeaderMalformed',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'RequestTimeTooSkewed',
  'RequestTimeout',
  'PermanentRedirect',
  'NoSuchBucket',
  'SlowDown',
  'QuotaExceeded',
  'InsufficientCapacity',
  'CredentialsProviderError',
  'TimeoutError',
]);

/** Name that the SDK gives to an error response without a body. */
const NAME_WITHOUT_BODY = 'Unknown';

/** For example `NoSuchKey`. */
export function s3ErrorName(error: unknown): string | undefined {
  return error instanceof S3ServiceException ? error.name : undefined;
}

export function s3HttpStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** A HEAD response has no body, so a missing object is only a 404. */
export function isObjectNotFoundError(error: unknown): boolean {
  return s3ErrorName(error) === 'NoSuchKey' || s3ErrorName(error) === 'NotFound';
}

function isUnavailableStatus(status: number, errorName: string): boolean {
  if (status >= 500 || status === 401 || status === 403 || status === 429) return true;
  // In response to HEAD, expired credentials and a wrong region are only a status.
  return errorName === NAME_WITHOUT_BODY && (status === 400 || status === 301);
}

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = s3HttpStatus(error);
  if (status !== undefined && isUnavailableStatus(status, error.name)) return true;
  const code = 'code' in error ? String(error.code) : '';
  return UNAVAILABLE_ERROR_NAMES.has(error.name) || NETWORK_ERROR_CODES.has(code);
}

/**
 * Converts errors of the store to `StoreUnavailableError`; other errors are rethrown unchanged.
 * @throws the reason of `signal` if it ended the requests
 */
export async function withMappedS3Errors<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (!isUnavailable(error)) throw error;
    const name = error instanceof Error ? error.name : 'Error';
    throw new StoreUnavailableError(`The object store does not serve (${name}).`, { cause: error });
  }
}
