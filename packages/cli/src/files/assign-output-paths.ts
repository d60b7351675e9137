import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type FoundInput, isHttpUrl } from './expand-inputs.js';
import { pathExists } from './path-exists.js';

export interface InputWithAssignedOutput extends FoundInput {
  output: string;
}

/** An input whose transcript would take the place of that of another one. */
export interface InputWithClashingOutput extends InputWithAssignedOutput {
  other: string;
}

export interface OutputPathAssignments {
  placed: InputWithAssignedOutput[];
  leftOut: InputWithClashingOutput[];
}

export interface AssignOutputPathsOptions {
  /** Without it, beside the inputs. */
  folder: string | undefined;
  format: string;
  /** Inputs by the outputs that they were given before. */
  taken?: ReadonlyMap<string, string>;
}

/**
 * Names the transcripts of several inputs: `talk.txt` for `talk.mp3`. Of inputs that would have the same, one keeps it and the others
 * are named in full, as `talk.wav.txt`. The transcripts of an earlier run stay with their inputs. Inputs that have the same full name
 * are left out, except the first.
 */
export async function assignOutputPaths(
  found: readonly FoundInput[],
  { folder, format, taken = new Map() }: AssignOutputPathsOptions,
): Promise<OutputPathAssignments> {
  const leftOut: InputWithClashingOutput[] = [];
  const inputs = new Map<string, string>();
  const entries: Entry[] = [];
  for (const each of found) {
    const fullName = placeOutput(each, each.relativePath, folder, format);
    const other = inputs.get(fullName);
    if (other !== undefined) leftOut.push({ ...each, output: fullName, other });
    else {
      inputs.set(fullName, each.input);
      const output = placeOutput(each, removeExtension(each.relativePath), folder, format);
      entries.push({ found: each, output, fullName });
    }
  }
  await separate(entries, taken);
  const placed: InputWithAssignedOutput[] = [];
  for (const { found: each, output } of entries) {
    const other = taken.get(output) ?? each.input;
    if (other === each.input) placed.push({ ...each, output });
    else leftOut.push({ ...each, output, other });
  }
  return { placed, leftOut };
}

export function describeInputWithClashingOutput({ input, output, other }: InputWithClashingOutput): string {
  return `${input}: left out, because its transcript would be ${output} as that of ${other}. Give it another name, or run it by itself with -o.`;
}

interface Entry {
  found: FoundInput;
  output: string;
  fullName: string;
}

/** Until no two are the same: a full name may be the short name of another input. */
async function separate(entries: readonly Entry[], taken: ReadonlyMap<string, string>): Promise<void> {
  for (;;) {
    let changed = false;
    for (const [output, group] of groupByOutput(entries)) {
      const owner = taken.get(output);
      if (group.length === 1 && (owner === undefined || owner === group[0]?.found.input)) continue;
      const keeper = await chooseKeeper(group, output, owner);
      for (const each of group) {
        if (each === keeper || each.output === each.fullName) continue;
        each.output = each.fullName;
        changed = true;
      }
    }
    if (!changed) return;
  }
}

function groupByOutput(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const each of entries) groups.set(each.output, [...(groups.get(each.output) ?? []), each]);
  return groups;
}

async function chooseKeeper(
  group: readonly Entry[],
  output: string,
  owner: string | undefined,
): Promise<Entry | undefined> {
  if (owner !== undefined) return group.find(({ found }) => found.input === owner);
  const named = group.find(({ fullName }) => fullName === output);
  if (named !== undefined) return named;
  const transcript = await stat(output).catch(() => undefined);
  const candidates: Entry[] = [];
  for (const each of group) if (!(await pathExists(each.fullName))) candidates.push(each);
  if (transcript === undefined) return candidates[0];
  // What arrived after a transcript was written is not what it is of.
  for (const each of candidates) {
    const stats = await stat(each.found.input).catch(() => undefined);
    if (stats === undefined || stats.ctimeMs <= transcript.mtimeMs) return each;
  }
  return candidates[0];
}

function removeExtension(path: string): string {
  const extension = extname(path);
  return extension === '' ? path : path.slice(0, -extension.length);
}

function placeOutput(
  { input }: FoundInput,
  path: string,
  folder: string | undefined,
  format: string,
): string {
  const name = `${path}.${format}`;
  if (folder !== undefined) return join(folder, name);
  if (input === '-' || isHttpUrl(input)) return name;
  return join(dirname(input), basename(name));
}
