import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../errors.js';

/**
 * Makes the folders of a file and writes it. A regular file is written as a whole, so that an interrupted command leaves no half of
 * it; behind a symbolic link, the file that it leads to. Devices and pipes are written to.
 * @throws CommandError that names the file
 */
export async function writeFileOrDevice(path: string, content: string | Uint8Array): Promise<void> {
  if (path === '') throw new CommandError('The name of the file to write is empty.');
  try {
    await mkdir(dirname(path), { recursive: true });
    if (await isReplaceable(path)) await replaceFile(await realpath(path).catch(() => path), content);
    else await writeFile(path, content);
  } catch (error) {
    // What follows names the temporary file.
    const [reason] = (error as Error).message.split(', ');
    throw new CommandError(`${path} could not be written: ${reason}.`, { cause: error });
  }
}

/** A regular file, or nothing yet. A link that leads nowhere is written through. */
async function isReplaceable(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats !== undefined) return stats.isFile();
  return (await lstat(path).catch(() => undefined)) === undefined;
}

async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const mode = (await stat(path).catch(() => undefined))?.mode;
  // Short, because the name of the file may be as long as names can be.
  const temporary = join(dirname(path), `.zephyr-${randomBytes(6).toString('hex')}.part`);
  try {
    await writeFile(temporary, content, { mode });
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Looks at the name of a file, and at its folder or the nearest one above it that exists. @throws CommandError */
export async function assertFileCanBeWritten(path: string): Promise<void> {
  if (await isTooLong(path)) throw createNameError(path);
  const missing = [basename(path)];
  let folder = dirname(path);
  let stats = await stat(folder).catch(() => undefined);
  while (stats === undefined && folder !== dirname(folder)) {
    missing.push(basename(folder));
    folder = dirname(folder);
    stats = await stat(folder).catch(() => undefined);
  }
  // Of a name below a missing folder, the system says only that the folder is missing.
  for (const name of missing) if (await isTooLong(join(folder, name))) throw createNameError(path);
  const isWritable = await access(folder, constants.W_OK).then(
    () => stats?.isDirectory() === true,
    () => false,
  );
  if (!isWritable) throw new CommandError(`${path}: ${folder} is no folder that can be written to.`);
}

function isTooLong(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG',
  );
}

function createNameError(path: string): CommandError {
  return new CommandError(`${path}: the name is too long. Choose another one with -o.`);
}
