/**
 * Caches generated material. The name of a file contains the hash of everything that its content depends on, so a cached
 * file is never outdated. Files are renamed into place, so processes can create the same file concurrently.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../.cache/material/', import.meta.url));
const GENERATORS_FOLDER = fileURLToPath(new URL('./', import.meta.url));

/** Hexadecimal digits of the hash in a file name: 96 bits. */
const HASH_LENGTH = 24;

/**
 * @typedef {object} Origin
 * @property {string} name first part of the file names
 * @property {unknown} from everything that the content depends on, as a JSON value
 * @property {string} [folder] the cache of the project by default
 */

/**
 * Returns the path of a cached file, and creates the file if it is missing.
 * @param {Origin & { extension: string }} options
 * @param {(path: string) => Promise<void>} create writes the file to this path
 * @returns {Promise<string>}
 */
export async function cacheFile({ extension, ...origin }, create) {
  const [path] = await cacheFiles({ ...origin, extensions: [extension] }, ([draft]) => create(draft));
  return path;
}

/**
 * Caches several files that one call creates. The last one is renamed last, so if it exists, all do.
 * @param {Origin & { extensions: string[] }} options
 * @param {(paths: string[]) => Promise<void>} create writes the files to these paths, in the order of the extensions
 * @returns {Promise<string[]>} the paths, in the order of the extensions
 */
export async function cacheFiles({ name, from, folder = CACHE, extensions }, create) {
  const hash = createHash('sha256').update(JSON.stringify(from)).digest('hex').slice(0, HASH_LENGTH);
  const paths = extensions.map((extension) => join(folder, `${name}-${hash}.${extension}`));
  if (await fileExists(paths[paths.length - 1])) return paths;
  await mkdir(folder, { recursive: true });
  // The extension comes last, because programs derive the format from it.
  const prefix = `.${name}-${hash}.${randomUUID()}`;
  const drafts = extensions.map((extension) => join(folder, `${prefix}.${extension}`));
  try {
    await create(drafts);
    for (const [index, draft] of drafts.entries()) await rename(draft, paths[index]);
  } finally {
    for (const draft of drafts) await rm(draft, { force: true });
  }
  return paths;
}

/** @param {string} path @returns {Promise<string>} SHA-256 in hex */
export async function hashFile(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Hashes the modules of this folder, on which all generated material depends. @returns {Promise<string>} */
export async function hashGenerators() {
  const names = (await readdir(GENERATORS_FOLDER)).filter(
    (name) => extname(name) === '.mjs' && !name.includes('.test.'),
  );
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(name).update(await readFile(join(GENERATORS_FOLDER, name)));
  return hash.digest('hex');
}

async function fileExists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
