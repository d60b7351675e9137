import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCaptured } from './command.mjs';
import { ROOT } from './root.mjs';
import { printProgress, UserFacingError } from './user-facing-error.mjs';

/** The build depends on these and on the packages of package-lock.json. */
const SOURCES = [
  'apps',
  'libs',
  'nest-cli.json',
  'scripts/build-console.mjs',
  'scripts/lib/escape-non-ascii.mjs',
  'scripts/lib/load-bundle.mjs',
  'scripts/pack.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
const EXCLUDED = /(\.(test|contract)\.ts|\.md)$/;
const SOURCE_HASH_FILE = join(ROOT, 'dist', '.built-from');

/** In the order of `npm run build`. */
const BUILD_COMMANDS = [
  [join('node_modules', '.bin', 'nest'), 'build'],
  [process.execPath, join('scripts', 'pack.mjs')],
  [process.execPath, join('scripts', 'build-console.mjs')],
];

/** Whether `dist` was built from exactly these sources. */
export async function isBuilt() {
  return (await readFile(SOURCE_HASH_FILE, 'utf8').catch(() => '')) === (await hashFiles(ROOT, SOURCES));
}

/** Builds `dist` unless it was built from exactly these sources. */
export async function ensureBuilt() {
  const sources = await hashFiles(ROOT, SOURCES);
  if ((await readFile(SOURCE_HASH_FILE, 'utf8').catch(() => '')) === sources) return;
  printProgress('Building ...');
  for (const [command, ...parameters] of BUILD_COMMANDS) {
    const { code, output } = await runCaptured(command, parameters);
    if (code !== 0)
      throw new UserFacingError(`The build failed (${command} ${parameters.join(' ')}).`, output);
  }
  await writeFile(SOURCE_HASH_FILE, sources);
}

/**
 * Hashes names and contents of files and of all files in folders; a missing path changes the hash, too.
 *
 * @param {string} root @param {readonly string[]} paths relative to the root
 */
export async function hashFiles(root, paths) {
  const hash = createHash('sha256');
  for (const file of await listFiles(root, paths)) {
    const content = await readFile(join(root, file)).catch(() => 'absent');
    hash.update(`${file}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} root @param {readonly string[]} paths @returns {Promise<string[]>} sorted */
async function listFiles(root, paths) {
  const found = [];
  for (const path of paths) {
    const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
      () => null,
    );
    if (!entries) found.push(path);
    for (const entry of entries ?? []) {
      if (entry.isFile()) found.push(join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
    }
  }
  const sourceFiles = found.filter((path) => !EXCLUDED.test(path) && !path.includes('node_modules'));
  return sourceFiles.sort();
}
