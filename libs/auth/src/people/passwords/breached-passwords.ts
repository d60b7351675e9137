import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { describeError, createInvalidFieldError, ServiceError } from '@app/errors';
import {
  type BreachedPasswordHashLine,
  readHashLineAt,
  readSizeWithoutTrailingSpace,
} from './breached-password-hash-lines.js';

/** Blocks that are read of a file when it is checked; all of a file that is not larger. */
const CHECKED_BLOCKS = 64;
const BLOCK_BYTES = 4_096;

/**
 * Passwords that are known from breaches: a file of SHA-1 hashes in ascending order, one a line, with or without a count
 * after a colon. It is searched on disk and may be replaced at any time.
 */
export class BreachedPasswords {
  /** @param path null: there is no such file, and every password is accepted */
  constructor(private readonly path: string | null) {}

  /** @throws ServiceError `validation_failed` that names `password`; `service_unavailable` if the file cannot be searched */
  async assertNotBreached(password: string): Promise<void> {
    if (this.path === null) return;
    const isBreached = await findInFile(this.path, password).catch((cause: unknown) => {
      throw new ServiceError('service_unavailable', {
        detail: 'Passwords cannot be compared with breached ones now.',
        retryAfter: 60,
        cause,
      });
    });
    if (isBreached)
      throw createInvalidFieldError(
        'password',
        'is known from a data breach of another service; choose another one',
      );
  }
}

/** @throws Error with one line for the operator, if the file cannot be read, has another format or is not in order */
export async function assertValidBreachedPasswordsFile(path: string): Promise<void> {
  try {
    await withFile(path, checkOrder);
  } catch (error) {
    throw new Error(`BREACHED_PASSWORDS_FILE: ${path} ${describeProblem(error)}`, { cause: error });
  }
}

/** Looks the password up normalized and as it was entered, because breaches have what was typed. */
async function findInFile(path: string, password: string): Promise<boolean> {
  const hashes = new Set(
    [password, password.normalize('NFC')].map((text) => hash('sha1', text, 'hex').toUpperCase()),
  );
  return withFile(path, async (file) => {
    const size = await readSizeWithoutTrailingSpace(file);
    for (const each of hashes) if (await hasLine(file, size, each)) return true;
    return false;
  });
}

async function hasLine(file: FileHandle, size: number, wanted: string): Promise<boolean> {
  let start = 0;
  let end = size;
  while (start < end) {
    const line = await readHashLineAt(file, Math.floor((start + end) / 2), size);
    if (line.hash === wanted) return true;
    if (line.hash < wanted) start = line.next;
    else end = line.start;
  }
  return false;
}

/** Compares neighbours in blocks that are spread over the file, and the blocks with each other. */
async function checkOrder(file: FileHandle): Promise<void> {
  const size = await readSizeWithoutTrailingSpace(file);
  if (size === 0) throw new Error('is empty');
  const step = Math.max(BLOCK_BYTES, Math.floor(size / CHECKED_BLOCKS));
  let last: BreachedPasswordHashLine | undefined;
  const check = async (position: number) => {
    const line = await readHashLineAt(file, position, size);
    if (last && line.start > last.start && line.hash <= last.hash)
      throw new Error(`is not sorted by hash: the line at byte ${line.start} is out of order`);
    last = line;
    return line.next;
  };
  for (let block = 0; block < size; block += step)
    for (let next = block; next < Math.min(block + BLOCK_BYTES, size);) next = await check(next);
  await check(size - 1);
}

async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function describeProblem(error: unknown): string {
  return error instanceof Error && !('code' in error)
    ? error.message
    : `cannot be read: ${describeError(error)}`;
}
