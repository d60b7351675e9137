import { access, constants, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../errors.js';

/**
 * Makes the folders of a file and writes it as a whole: an interrupted command leaves no half of it.
 * @throws CommandError that names the file
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(temporary, content);
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    // What follows names the temporary file.
    const [reason] = (error as Error).message.split(', ');
    throw new CommandError(`${path} could not be written: ${reason}.`, { cause: error });
  }
}

/** Looks at the folder of a file, or at the nearest one above it that exists. @throws CommandError */
export async function assertParentFolderWritable(path: string): Promise<void> {
  let folder = dirname(path);
  let stats = await stat(folder).catch(() => undefined);
  while (stats === undefined && folder !== dirname(folder)) {
    folder = dirname(folder);
    stats = await stat(folder).catch(() => undefined);
  }
  const isWritable = await access(folder, constants.W_OK).then(
    () => stats?.isDirectory() === true,
    () => false,
  );
  if (!isWritable) throw new CommandError(`${path}: ${folder} is no folder that can be written to.`);
}
