import { CommandError } from '../output.js';

const CHOOSE_WRITABLE_FOLDER = 'Give a new folder that the user of this command can write.';
const CAUSES: Record<string, [string, string]> = {
  EEXIST: ['is a file', 'Give a new folder.'],
  ENOTDIR: ['is below a file', 'Give a new folder.'],
  EACCES: ['cannot be written by the user of this command', CHOOSE_WRITABLE_FOLDER],
  EPERM: ['cannot be written by the user of this command', CHOOSE_WRITABLE_FOLDER],
  EROFS: ['is on a disk that is mounted read-only', CHOOSE_WRITABLE_FOLDER],
};
const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT']);

/** Why the folder of a backup cannot be made, for the operator; any other error as it is. */
export function toBackupFolderError(path: string, error: unknown): unknown {
  const [cause, remedy] = CAUSES[errorCode(error)] ?? [];
  return cause === undefined ? toFullDiskError(path, error) : new CommandError(`${path} ${cause}. ${remedy}`);
}

/** The system names no path when a disk is full. */
export function toFullDiskError(path: string, error: unknown): unknown {
  if (!FULL_DISK_CODES.has(errorCode(error))) return error;
  return new CommandError(
    `The disk of ${path} is full: the backup is not complete. Delete that folder, and give one on a disk with more room.`,
  );
}

function errorCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}
