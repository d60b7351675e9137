import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** In order of preference; the build writes both beside each file. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

export interface EncodedContent {
  body: Buffer;
  /** Of `Content-Encoding`; null for the file itself. */
  encoding: string | null;
}

export interface StaticFile {
  contentType: string;
  plain: Buffer;
  encoded: ReadonlyMap<string, Buffer>;
}

/**
 * Reads the built files, which are less than a megabyte, so that requests read no disk and no path of a request reaches it.
 *
 * @returns files by path relative to the folder; null if the folder does not exist
 */
export async function readStaticFiles(folder: URL): Promise<Map<string, StaticFile> | null> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!names) return null;
  const files = new Map<string, StaticFile>();
  for (const name of names) {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType !== undefined) files.set(name, await readStaticFile(folder, name, contentType));
  }
  return files;
}

async function readStaticFile(folder: URL, name: string, contentType: string): Promise<StaticFile> {
  const path = `${fileURLToPath(folder)}/${name}`;
  const encoded = new Map<string, Buffer>();
  for (const { name: encoding, extension } of ENCODINGS)
    encoded.set(encoding, await readFile(`${path}${extension}`));
  return { contentType, plain: await readFile(path), encoded };
}

/** @param acceptEncoding the header; a browser lists what it decodes, without weights */
export function selectEncoding(
  { plain, encoded }: StaticFile,
  acceptEncoding: string | undefined,
): EncodedContent {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';', 1)[0]?.trim().toLowerCase()),
  );
  for (const [encoding, body] of encoded) if (accepted.has(encoding)) return { body, encoding };
  return { body: plain, encoding: null };
}
