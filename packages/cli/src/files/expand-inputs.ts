import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, normalize, relative, resolve, sep } from 'node:path';
import { CommandError, UsageError } from '../errors.js';
import { pathExists } from './path-exists.js';
import { getGlobBase, globToFolderRegExp, globToRegExp, isGlob, normalizeGlobSeparators } from './glob.js';

/** Names by which folders are searched. A file that is named is sent whatever it is called. */
const AUDIO_EXTENSIONS = new Set(
  '3gp aac ac3 aif aiff amr ape au avi caf flac flv m4a m4v mka mkv mov mp3 mp4 mpeg mpg oga ogg opus ts tta voc w64 wav webm wma wmv wv'.split(
    ' ',
  ),
);

export interface FoundInput {
  /** A path, an http or https URL, or `-`. */
  input: string;
  /** Below the folder or the pattern that was searched, with the file name. */
  relativePath: string;
}

export interface ExpandedInputs {
  found: FoundInput[];
  /** Files and folders that may not be read. */
  unreadable: string[];
  /** Other paths of files that were found. */
  repeated: RepeatedInput[];
}

export interface RepeatedInput {
  input: string;
  /** The path by which the file is transcribed. */
  other: string;
}

type ListFolder = (path: string) => Promise<Dirent[]>;

/**
 * Files, folders (searched deeply), patterns, addresses and `-`, each file once: of several paths of a file, the first that leads there
 * without symbolic links, or else the first.
 * @throws CommandError for what does not exist, and if nothing may be read; UsageError for a wrong address, and if nothing is left
 */
export async function expandInputs(
  inputs: readonly string[],
  listFolder: ListFolder = (path) => readdir(path, { withFileTypes: true }),
): Promise<ExpandedInputs> {
  const found = new Map<string, FoundInput>();
  const repeated = new Map<string, string>();
  const search: Search = { listFolder, unreadable: [] };
  for (const input of inputs)
    for (const each of await findInput(input, search)) {
      const file = await getRealPath(each.input);
      const earlier = found.get(file);
      const isBetter =
        earlier === undefined || (resolve(earlier.input) !== file && resolve(each.input) === file);
      if (isBetter) found.set(file, each);
      if (earlier === undefined || earlier.input === each.input) continue;
      const [chosen, other] = isBetter ? [each, earlier] : [earlier, each];
      repeated.set(other.input, chosen.input);
    }
  const [unreadable] = search.unreadable;
  if (found.size === 0 && unreadable !== undefined)
    throw new CommandError(describeUnreadablePath(unreadable));
  return {
    found: [...found.values()],
    unreadable: search.unreadable,
    repeated: [...repeated].map(([input, other]) => ({ input, other })),
  };
}

export function describeUnreadablePath(path: string): string {
  return `${path}: permission denied.`;
}

export function describeRepeatedInput({ input, other }: RepeatedInput): string {
  return `${input}: the same file as ${other}, which is transcribed once`;
}

/** Real path of a file; URLs and `-` as they are. */
export async function getRealPath(input: string): Promise<string> {
  if (input === '-' || isHttpUrl(input)) return input;
  return realpath(input).catch(() => resolve(input));
}

export function isHttpUrl(input: string): boolean {
  return /^https?:\/\//i.test(input);
}

export function isVisibleMediaFileName(name: string): boolean {
  return AUDIO_EXTENSIONS.has(extname(name).slice(1).toLowerCase()) && !name.startsWith('.');
}

async function findInput(input: string, search: Search): Promise<FoundInput[]> {
  if (input === '-') return [{ input, relativePath: 'stdin' }];
  if (isHttpUrl(input)) return [{ input, relativePath: getNameOfAddress(input) }];
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(input))
    throw new UsageError(`${input}: the service fetches http and https URLs only.`);
  const stats = await stat(input).catch((error: unknown) => {
    if (isPermissionError(error)) search.unreadable.push(input);
    return undefined;
  });
  if (search.unreadable.includes(input)) return [];
  if (stats?.isDirectory() === true)
    return requireSome(await searchFolder(input, search), search, `${input} has no audio files`);
  if (stats !== undefined && !stats.isFile())
    throw new CommandError(
      `${input} is no regular file. Send what it has by standard input: zephyr transcribe - < ${input}`,
    );
  if (stats !== undefined) {
    const path = normalize(input);
    return [{ input: path, relativePath: path.split(sep).at(-1) as string }];
  }
  const glob = normalizeGlobSeparators(input);
  const pattern = isGlob(glob) ? parsePattern(glob) : undefined;
  if (pattern === undefined) throw new CommandError(`${input} does not exist.`);
  const files = await listFiles(getGlobBase(glob), search, (folder) =>
    pattern.folders.test(normalizeGlobSeparators(folder)),
  );
  const matches = files.filter(({ path }) => pattern.files.test(normalizeGlobSeparators(path)));
  return requireSome(matches.map(toFoundInput), search, `${input} matches no file`);
}

/** @returns undefined for a name such as `talk [2024-01-05].wav`, whose brackets are no set */
function parsePattern(glob: string): { files: RegExp; folders: RegExp } | undefined {
  const pattern = glob.replace(/^\.\//, '');
  try {
    return { files: globToRegExp(pattern), folders: globToFolderRegExp(pattern) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

interface Search {
  listFolder: ListFolder;
  unreadable: string[];
}

async function searchFolder(folder: string, search: Search): Promise<FoundInput[]> {
  const files = await listFiles(folder, search);
  return files
    .filter(({ path }) => isVisibleMediaFileName(path.split(sep).at(-1) as string))
    .map(toFoundInput);
}

function toFoundInput({ path, base }: { path: string; base: string }): FoundInput {
  return { input: path, relativePath: relative(base, path) };
}

/** @param isSearched whether a folder below is searched, too @throws CommandError if the folder does not exist */
async function listFiles(
  base: string,
  search: Search,
  isSearched: (folder: string) => boolean = () => true,
): Promise<{ path: string; base: string }[]> {
  const paths: string[] = [];
  const collect = async (folder: string): Promise<void> => {
    for (const child of await listReadableFolder(folder, search)) {
      const path = join(folder, child.name);
      if (child.isDirectory()) {
        if (isSearched(path)) await collect(path);
      } else if (child.isFile() || (child.isSymbolicLink() && !(await leadsToOtherThanFile(path))))
        paths.push(path);
    }
  };
  if (!(await pathExists(base))) throw new CommandError(`${base} does not exist.`);
  await collect(base);
  return paths.sort().map((path) => ({ path, base }));
}

/** To a folder, or to a pipe, from which reading may wait without end. A link that leads nowhere is reported when it is read. */
async function leadsToOtherThanFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && !stats.isFile();
}

/** What may not be read is remembered. A folder that was removed meanwhile has no files. */
async function listReadableFolder(path: string, { listFolder, unreadable }: Search): Promise<Dirent[]> {
  try {
    return await listFolder(path);
  } catch (error) {
    if (isPermissionError(error)) unreadable.push(path);
    return [];
  }
}

function isPermissionError(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(String((error as { code?: unknown }).code));
}

function requireSome(found: FoundInput[], { unreadable }: Search, message: string): FoundInput[] {
  if (found.length === 0 && unreadable.length === 0) throw new UsageError(`${message}.`);
  return found;
}

/** With a hash of the query, by which URLs of one path may lead to different files. */
function getNameOfAddress(address: string): string {
  if (!URL.canParse(address)) throw new UsageError(`${address} is no complete address.`);
  const { hostname, pathname, search } = new URL(address);
  const decoded = decodeIfText(pathname.split('/').at(-1) ?? '').replaceAll(/[/\\\0]/g, '_');
  const name = decoded === '' || decoded === '..' ? hostname : decoded;
  if (search === '') return name;
  const extension = extname(name);
  const hash = createHash('sha256').update(search).digest('hex').slice(0, 8);
  return `${name.slice(0, name.length - extension.length)}-${hash}${extension}`;
}

/** Servers may name files in another encoding than UTF-8. */
function decodeIfText(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
