import { stat } from 'node:fs/promises';
import { getErrorCode } from '../error-code.js';
import { StoreUnavailableError } from '../store-errors.js';

/** Error codes of a full, failing or inaccessible disk. */
const DISK_FAILURE_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'ESTALE',
  'ENXIO',
  'ENODEV',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
]);

export function isFileMissingError(error: unknown): boolean {
  return getErrorCode(error) === 'ENOENT' || getErrorCode(error) === 'ENOTDIR';
}

export function mapDiskFailureToStoreUnavailable(error: unknown): unknown {
  const code = getErrorCode(error);
  if (code === undefined || !DISK_FAILURE_CODES.has(code)) return error;
  return new StoreUnavailableError(`The disk of the object store answered ${code}.`, { cause: error });
}

/**
 * Converts disk errors to `StoreUnavailableError`; other errors are rethrown unchanged.
 * @param isCallerError whether an error belongs to another disk
 */
export async function withMappedDiskErrors<T>(
  work: () => Promise<T>,
  isCallerError: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isCallerError(error) ? error : mapDiskFailureToStoreUnavailable(error);
  }
}

/** The sweep took a file for abandoned, because a clock stepped forward. The write can be repeated. */
export function createSweptFileError(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('A file was removed while it was being written.', { cause });
}

export function isDiskFullError(error: unknown): boolean {
  return getErrorCode(error) === 'ENOSPC' || getErrorCode(error) === 'EDQUOT';
}

/** @returns undefined on `StoreUnavailableError` */
export async function undefinedIfFileUnreadable<T>(
  work: Promise<T>,
  onUnreadable?: (error: StoreUnavailableError) => void,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const mapped = mapDiskFailureToStoreUnavailable(error);
    if (!(mapped instanceof StoreUnavailableError)) throw error;
    onUnreadable?.(mapped);
    return undefined;
  }
}

export async function nullIfFileMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isFileMissingError(error)) return null;
    throw error;
  }
}

export async function fileExists(path: string): Promise<boolean> {
  return (await nullIfFileMissing(stat(path))) !== null;
}
