import { StoreUnavailable } from '../store-errors.js';

/** What the disk says when it has no room, no life or no permission left, as opposed to "no such file". */
const DISK_TROUBLE = new Set([
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

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

export function asStoreError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined || !DISK_TROUBLE.has(code)) return error;
  return new StoreUnavailable(`The disk of the object store answered ${code}.`, { cause: error });
}

/**
 * Runs work on the disk; its troubles come out as `StoreUnavailable`, everything else as it was.
 * @param ofOthers tells what is said by another disk
 */
export async function onDisk<T>(
  work: () => Promise<T>,
  ofOthers: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ofOthers(error) ? error : asStoreError(error);
  }
}

export function isFull(error: unknown): boolean {
  return errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
}

/** @returns undefined instead of throwing when it cannot be read, for who goes on without it. */
export async function unlessUnreadable<T>(
  work: Promise<T>,
  onUnreadable?: (error: StoreUnavailable) => void,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const trouble = asStoreError(error);
    if (!(trouble instanceof StoreUnavailable)) throw error;
    onUnreadable?.(trouble);
    return undefined;
  }
}

/** @returns null instead of throwing when the file is not there. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
