import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { UsageError } from '../errors.js';
import type { FoundInput } from './expand-inputs.js';
import { type InputWithClashingOutput, assignOutputPaths } from './assign-output-paths.js';

export interface InputWithPlannedOutput extends FoundInput {
  /** `undefined`: standard output. */
  output: string | undefined;
}

export interface OutputOptions {
  /** Value of `-o`: a file, a folder, or `-`. */
  target: string | undefined;
  format: string;
}

/**
 * Where each transcript goes: a single one to standard output or the file of `-o`; several into the folder of `-o`, in the same
 * subfolders, or beside their files.
 * @throws UsageError if several go to a file
 */
export async function planTranscriptOutputs(
  found: FoundInput[],
  { target, format }: OutputOptions,
): Promise<{ planned: InputWithPlannedOutput[]; leftOut: InputWithClashingOutput[] }> {
  const stats = target === undefined ? undefined : await stat(target).catch(() => undefined);
  const isFolder =
    target !== undefined && (target.endsWith('/') || target.endsWith(sep) || stats?.isDirectory() === true);
  if (found.length === 1 && !isFolder) {
    const output = target === '-' ? undefined : target;
    return { planned: found.map((each) => ({ ...each, output })), leftOut: [] };
  }
  if (target === '-')
    throw new UsageError('-o - takes one file: several transcripts would run into one another.');
  if (target !== undefined && !isFolder && (stats !== undefined || target.endsWith(`.${format}`)))
    throw new UsageError(`-o ${target} looks like a file, and several transcripts need a folder: ${target}/`);
  const { placed, leftOut } = await assignOutputPaths(found, { folder: target, format });
  return { planned: placed, leftOut };
}
