import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In order of preference; the builds of console and guide write both beside each file. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

/** A file of the service's own, in memory, so that no path of a request reaches the disk. */
export interface StaticFile {
  contentType: string;
  /** Weak, because it covers all encodings. */
  etag: string;
  /** By `Content-Encoding`, in order of preference. */
  encoded: ReadonlyMap<string, Buffer>;
  readPlain(): Buffer | Promise<Buffer>;
}

/** @returns files by path relative to the folder; null if the folder does not exist */
export async function readBuiltFiles(folder: URL): Promise<Map<string, StaticFile> | null> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (!names) return null;
  const files = new Map<string, StaticFile>();
  for (const name of names)
    if (CONTENT_TYPES[extname(name)] !== undefined)
      files.set(name, await readBuiltFile(`${fileURLToPath(folder)}/${name}`));
  return files;
}

async function readBuiltFile(path: string): Promise<StaticFile> {
  const encoded = new Map<string, Buffer>();
  for (const { name, extension } of ENCODINGS) encoded.set(name, await readFile(`${path}${extension}`));
  const plain = await readFile(path);
  return { ...describeFile(path, plain), encoded, readPlain: () => plain };
}

/** A file without compressed files beside it. It is read with the first request, and only its compressed bytes stay in memory. */
export class FileCompressedOnFirstRead {
  private loaded: Promise<StaticFile> | undefined;

  constructor(private readonly location: URL) {}

  load(): Promise<StaticFile> {
    this.loaded ??= this.compress().catch((error: unknown) => {
      this.loaded = undefined;
      throw error;
    });
    return this.loaded;
  }

  private async compress(): Promise<StaticFile> {
    const path = fileURLToPath(this.location);
    const plain = await readFile(path);
    const gzipped = await promisify(gzip)(plain);
    const encoded = new Map([['gzip', gzipped]]);
    return { ...describeFile(path, plain), encoded, readPlain: () => promisify(gunzip)(gzipped) };
  }
}

function describeFile(path: string, plain: Buffer): Pick<StaticFile, 'contentType' | 'etag'> {
  const contentType = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream';
  return { contentType, etag: `W/${computeEtag(plain)}` };
}

export function computeEtag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/**
 * @param acceptEncoding the header; a browser lists what it decodes, without weights
 * @returns one of the given encodings; null for none
 */
export function selectEncoding(
  encodings: Iterable<string>,
  acceptEncoding: string | undefined,
): string | null {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase()),
  );
  for (const encoding of encodings) if (accepted.has(encoding)) return encoding;
  return null;
}
