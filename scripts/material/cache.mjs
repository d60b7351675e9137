/**
 * Keeps material that was made once. A file's name holds the hash of all that its content depends on, so what is
 * there is right; it appears by a rename, so two processes that make the same at once do no harm.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../.cache/material/', import.meta.url));
const HERE = fileURLToPath(new URL('./', import.meta.url));

/** Characters of a hash in a file's name: 96 bits. */
const HASH_LENGTH = 24;

/**
 * What a piece of material is called and made from.
 * @typedef {object} Origin
 * @property {string} name first part of its file names
 * @property {unknown} from everything that the content depends on, as a JSON value
 * @property {string} [folder] the project's cache when left out
 */

/**
 * The path of a file of the cache, made by `make` when it is not there yet.
 * @param {Origin & { extension: string }} what
 * @param {(path: string) => Promise<void>} make writes the file to the path that it is given
 * @returns {Promise<string>}
 */
export async function cached({ extension, ...origin }, make) {
  const [path] = await cachedFiles({ ...origin, extensions: [extension] }, ([draft]) => make(draft));
  return path;
}

/**
 * Several files that belong together, made by one call. The last one appears last: where it is, all are.
 * @param {Origin & { extensions: string[] }} what
 * @param {(paths: string[]) => Promise<void>} make writes the files to the paths that it is given, in this order
 * @returns {Promise<string[]>} the paths, in the order of the extensions
 */
export async function cachedFiles({ name, from, folder = CACHE, extensions }, make) {
  const hash = createHash('sha256').update(JSON.stringify(from)).digest('hex').slice(0, HASH_LENGTH);
  const paths = extensions.map((extension) => join(folder, `${name}-${hash}.${extension}`));
  if (await exists(paths[paths.length - 1])) return paths;
  await mkdir(folder, { recursive: true });
  // The extension stays last: programs choose a file's format by it.
  const mark = `.${name}-${hash}.${randomUUID()}`;
  const drafts = extensions.map((extension) => join(folder, `${mark}.${extension}`));
  try {
    await make(drafts);
    for (const [index, draft] of drafts.entries()) await rename(draft, paths[index]);
  } finally {
    for (const draft of drafts) await rm(draft, { force: true });
  }
  return paths;
}

/** @param {string} path @returns {Promise<string>} SHA-256 of a file's content, in hex */
export async function contentHash(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** @returns {Promise<string>} a hash of the programs of this folder: other programs make other material */
export async function makersHash() {
  const names = (await readdir(HERE)).filter((name) => extname(name) === '.mjs' && !name.includes('.test.'));
  const hash = createHash('sha256');
  for (const name of names.sort()) hash.update(name).update(await readFile(join(HERE, name)));
  return hash.digest('hex');
}

/** @param {string} path */
async function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}
