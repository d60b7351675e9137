import { stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { UsageError } from '../errors.js';
import { type FoundInput, isHttpUrl } from './expand-inputs.js';

export interface InputWithPlannedOutput extends FoundInput {
  /** `undefined`: standard output. */
  output: string | undefined;
}

export interface OutputOptions {
  /** Of `-o`: a file, a folder, or `-`. */
  target: string | undefined;
  format: string;
}

/**
 * Where each transcript goes: a single one to standard output or the file of `-o`; several into the folder of `-o`, in the same
 * subfolders, or beside their files.
 * @throws UsageError if two would be the same file, or several go to a file
 */
export async function planTranscriptOutputs(
  found: FoundInput[],
  { target, format }: OutputOptions,
): Promise<InputWithPlannedOutput[]> {
  const stats = target === undefined ? undefined : await stat(target).catch(() => undefined);
  const isFolder = target !== undefined && (/[/\\]$/.test(target) || stats?.isDirectory() === true);
  if (found.length === 1 && !isFolder)
    return found.map((each) => ({ ...each, output: target === '-' ? undefined : target }));
  if (target === '-')
    throw new UsageError('-o - takes one file: several transcripts would run into one another.');
  if (target !== undefined && !isFolder && (stats !== undefined || target.endsWith(`.${format}`)))
    throw new UsageError(`-o ${target} looks like a file, and several transcripts need a folder: ${target}/`);
  const planned = found.map((each) => ({ ...each, output: placeOutput(each, target, format) }));
  const inputs = new Map<string, string>();
  for (const { input, output } of planned) {
    const other = inputs.get(output);
    if (other !== undefined)
      throw new UsageError(
        `The transcripts of ${other} and ${input} would both be ${output}. Run them one by one, with -o.`,
      );
    inputs.set(output, input);
  }
  return planned;
}

function placeOutput(
  { input, relativePath }: FoundInput,
  folder: string | undefined,
  format: string,
): string {
  const extension = extname(relativePath);
  const name = `${extension === '' ? relativePath : relativePath.slice(0, -extension.length)}.${format}`;
  if (folder !== undefined) return join(folder, name);
  if (input === '-' || isHttpUrl(input)) return name;
  return join(dirname(input), name.split(/[/\\]/).at(-1) as string);
}
