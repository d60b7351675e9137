import { readdir, stat } from 'node:fs/promises';
import { extname, join, normalize, relative, sep } from 'node:path';
import { CommandError, UsageError } from '../errors.js';
import { getGlobBase, globToRegExp, isGlob } from './glob.js';

/** Names by which folders are searched. A file that is named is sent whatever it is called. */
const AUDIO_EXTENSIONS = new Set(
  '3gp aac ac3 aif aiff amr ape au avi caf flac flv m4a m4v mka mkv mov mp3 mp4 mpeg mpg oga ogg opus ts tta voc w64 wav webm wma wmv wv'.split(
    ' ',
  ),
);

export interface FoundInput {
  /** A path, an http or https address, or `-`. */
  input: string;
  /** Below the folder or the pattern that was searched, with the file name. */
  relativePath: string;
}

/**
 * Files, folders (searched deeply), patterns, addresses and `-`, each file once.
 * @throws CommandError for what does not exist, UsageError if nothing is left
 */
export async function expandInputs(inputs: readonly string[]): Promise<FoundInput[]> {
  const found = new Map<string, FoundInput>();
  for (const input of inputs)
    for (const each of await findInput(input)) if (!found.has(each.input)) found.set(each.input, each);
  return [...found.values()];
}

export function isHttpUrl(input: string): boolean {
  return /^https?:\/\//i.test(input);
}

export function hasAudioExtension(name: string): boolean {
  return AUDIO_EXTENSIONS.has(extname(name).slice(1).toLowerCase()) && !name.startsWith('.');
}

async function findInput(input: string): Promise<FoundInput[]> {
  if (input === '-') return [{ input, relativePath: 'stdin' }];
  if (isHttpUrl(input)) return [{ input, relativePath: getNameOfAddress(input) }];
  const stats = await stat(input).catch(() => undefined);
  if (stats?.isDirectory() === true)
    return requireSome(await searchFolder(input), input, 'has no audio files');
  if (stats !== undefined) {
    const path = normalize(input);
    return [{ input: path, relativePath: path.split(sep).at(-1) as string }];
  }
  if (!isGlob(input)) throw new CommandError(`${input} does not exist.`);
  const pattern = globToRegExp(input.split(sep).join('/').replace(/^\.\//, ''));
  const matches = (await listFiles(getGlobBase(input))).filter(({ path }) =>
    pattern.test(path.split(sep).join('/')),
  );
  return requireSome(matches.map(toFoundInput), input, 'matches no file');
}

async function searchFolder(folder: string): Promise<FoundInput[]> {
  const files = await listFiles(folder);
  return files.filter(({ path }) => hasAudioExtension(path.split(sep).at(-1) as string)).map(toFoundInput);
}

function toFoundInput({ path, base }: { path: string; base: string }): FoundInput {
  return { input: path, relativePath: relative(base, path) };
}

async function listFiles(base: string): Promise<{ path: string; base: string }[]> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true }).catch(() => {
    throw new CommandError(`${base} does not exist.`);
  });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({ path: join(entry.parentPath ?? entry.path, entry.name), base }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function requireSome(found: FoundInput[], input: string, message: string): FoundInput[] {
  if (found.length === 0) throw new UsageError(`${input} ${message}.`);
  return found;
}

function getNameOfAddress(address: string): string {
  const { hostname, pathname } = new URL(address);
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '').replaceAll(/[/\\\0]/g, '_');
  return name === '' || name === '..' ? hostname : name;
}
