import { S3ServiceException } from '@aws-sdk/client-s3';
import { getErrorCode } from '../error-code.js';
import { StoreUnavailableError } from '../store-errors.js';

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

/** The status of any response, also one that the SDK cannot parse. */
export function s3HttpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  return (error.$metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

function isUnavailableResponse(error: Error, status: number): boolean {
  // Not what S3 sends, but for example the page of a proxy.
  if (!(error instanceof S3ServiceException)) return true;
  if (status >= 500 || status === 401 || status === 403 || status === 429) return true;
  // In response to HEAD, expired credentials and a wrong region are only a status.
  return error.name === NAME_WITHOUT_BODY && (status === 400 || status === 301);
}

/** An error of a connection, TLS or HTTP has a code, as have few others. */
function isTransportError(error: Error): boolean {
  const isOwnMistake = error instanceof TypeError || error instanceof RangeError;
  return getErrorCode(error) !== undefined && !isOwnMistake && error.name !== 'AbortError';
}

/** For example `AccessDenied`, `CERT_HAS_EXPIRED` or `HTTP 502`. */
function describeCause(error: Error): string {
  const status = s3HttpStatus(error);
  if (status !== undefined && !(error instanceof S3ServiceException)) return `HTTP ${status}`;
  return getErrorCode(error) ?? error.name;
}

function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (UNAVAILABLE_ERROR_NAMES.has(error.name)) return true;
  const status = s3HttpStatus(error);
  return status === undefined ? isTransportError(error) : isUnavailableResponse(error, status);
}

/** @returns `StoreUnavailableError` for errors of the store, the reason of an aborted `signal`, or the error itself */
export function mapS3Error(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (!isUnavailable(error)) return error;
  return new StoreUnavailableError(`The object store does not serve (${describeCause(error)}).`, {
    cause: error,
  });
}

/**
 * Converts errors of the store to `StoreUnavailableError`; other errors are rethrown unchanged. The work uses no local
 * file: an error of the disk counts as one of the store.
 * @throws the reason of `signal` if it ended the requests
 */
export async function withMappedS3Errors<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw mapS3Error(error, signal);
  }
}
