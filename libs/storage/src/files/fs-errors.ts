import { StoreUnavailableError } from '../store-errors.js';

/** What the disk says when it has no room, no life or no permission left, as opposed to "no such file". */
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

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function isFileMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

export function toStoreError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !DISK_FAILURE_CODES.has(code)) return error;
  return new StoreUnavailableError(`The disk of the object store answered ${code}.`, { cause: error });
}

/**
 * Runs work on the disk; its troubles come out as `StoreUnavailableError`, everything else as it was.
 * @param isCallerError tells what is said by another disk
 */
export async function mapDiskErrors<T>(
  work: () => Promise<T>,
  isCallerError: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isCallerError(error) ? error : toStoreError(error);
  }
}

export function isDiskFull(error: unknown): boolean {
  return errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
}

/** @returns undefined instead of throwing when it cannot be read, for who goes on without it. */
export async function undefinedIfUnreadable<T>(
  work: Promise<T>,
  onUnreadable?: (error: StoreUnavailableError) => void,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const trouble = toStoreError(error);
    if (!(trouble instanceof StoreUnavailableError)) throw error;
    onUnreadable?.(trouble);
    return undefined;
  }
}

/** @returns null instead of throwing when the file is not there. */
export async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isFileMissing(error)) return null;
    throw error;
  }
}
