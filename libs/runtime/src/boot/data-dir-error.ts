import { mkdir } from 'node:fs/promises';

const CHOOSE_OTHER_FOLDER = 'set it to a folder that this program can write';
const OTHER_USER: [string, string] = [
  'cannot be read and written by the user of this program',
  'run it as the user of the service, or set DATA_DIR to a folder of this user',
];
const CAUSES: Record<string, [string, string]> = {
  ENOTDIR: ['is not a folder', CHOOSE_OTHER_FOLDER],
  EACCES: OTHER_USER,
  EPERM: OTHER_USER,
  EROFS: [
    'is on a disk that is mounted read-only',
    `${CHOOSE_OTHER_FOLDER}, or under systemd add it to ReadWritePaths= of the unit`,
  ],
  ENOSPC: ['is on a full disk', 'free some space there, or set it to a folder on another disk'],
};

export class DataDirError extends Error {
  override readonly name = 'DataDirError';
  constructor(
    readonly problem: string,
    readonly remedy: string,
    cause: unknown,
  ) {
    super(`${problem}: ${remedy}.`, { cause });
  }
}

/** Converts file system errors to advice about `DATA_DIR`; returns other errors unchanged. */
export function toDataDirError(dataDir: string, error: unknown): unknown {
  const [problem, remedy] = CAUSES[(error as NodeJS.ErrnoException).code ?? ''] ?? [];
  if (problem === undefined || remedy === undefined) return error;
  return new DataDirError(`DATA_DIR ${dataDir} ${problem}`, remedy, error);
}

/** @throws DataDirError also if the path is a file (EEXIST) */
export async function createDataDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    const isFile = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw toDataDirError(path, isFile ? Object.assign(error as Error, { code: 'ENOTDIR' }) : error);
  });
}
