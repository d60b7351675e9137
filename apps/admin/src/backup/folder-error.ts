import { CommandRefused } from '../output.js';

const OTHER = 'Give a new folder that the user of this command can write.';
const CAUSES: Record<string, [string, string]> = {
  EEXIST: ['is a file', 'Give a new folder.'],
  ENOTDIR: ['is below a file', 'Give a new folder.'],
  EACCES: ['cannot be written by the user of this command', OTHER],
  EPERM: ['cannot be written by the user of this command', OTHER],
  EROFS: ['is on a disk that is mounted read-only', OTHER],
};
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Why the folder of a backup cannot be made, for the operator; any other error as it is. */
export function backupFolderError(path: string, error: unknown): unknown {
  const [cause, remedy] = CAUSES[codeOf(error)] ?? [];
  return cause === undefined ? fullDiskError(path, error) : new CommandRefused(`${path} ${cause}. ${remedy}`);
}

/** The system names no path when a disk is full. */
export function fullDiskError(path: string, error: unknown): unknown {
  if (!FULL.has(codeOf(error))) return error;
  return new CommandRefused(
    `The disk of ${path} is full: the backup is not complete. Delete that folder, and give one on a disk with more room.`,
  );
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}
