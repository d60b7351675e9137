import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  'scripts/lib/compress-files.mjs',
  'scripts/lib/escape-non-ascii.mjs',
  'scripts/lib/load-bundle.mjs',
  'scripts/pack.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
const EXCLUDED = /(\.(test|contract)\.ts|\.md)$/;
const SOURCE_HASH_FILE = join(ROOT, 'dist', '.built-from');

/** Parts that are built in seconds, so a change of these alone builds nothing else. */
const SEPARATE_PARTS = [
  {
    name: 'guide',
    sources: [
      'CHANGELOG.md',
      'docs',
      'packages/cli/README.md',
      'packages/client/README.md',
      'scripts/build-guide.mjs',
      'scripts/guide',
    ],
    excluded: /[.]test[.]mjs$/,
    command: [process.execPath, join('scripts', 'build-guide.mjs')],
  },
  {
    name: 'packages',
    sources: [
      'package.json',
      'package-lock.json',
      'packages',
      'scripts/build-packages.mjs',
      'scripts/lib/packages.mjs',
      'tsconfig.json',
    ],
    excluded: /[.]test[.]ts$/,
    command: [process.execPath, join('scripts', 'build-packages.mjs')],
  },
];

/** All paths that a build reads. */
export const BUILD_SOURCES = [...SOURCES, ...SEPARATE_PARTS.flatMap(({ sources }) => sources)];

/** Of everything but the separate parts; the first one empties the folder. */
const BUILD_COMMANDS = [
  [join('node_modules', '.bin', 'nest'), 'build'],
  [process.execPath, join('scripts', 'pack.mjs')],
  [process.execPath, join('scripts', 'build-console.mjs')],
];

const hashSources = () => hashFiles(ROOT, SOURCES);
const hashPart = ({ sources, excluded }) => hashFiles(ROOT, sources, excluded);
const getHashFile = ({ name }) => join(ROOT, 'dist', name, '.built-from');
const readHash = (file) => readFile(file, 'utf8').catch(() => '');

/** Whether `dist` was built from exactly these sources. */
export async function isBuilt() {
  if ((await readHash(SOURCE_HASH_FILE)) !== (await hashSources())) return false;
  for (const part of SEPARATE_PARTS)
    if ((await readHash(getHashFile(part))) !== (await hashPart(part))) return false;
  return true;
}

/**
 * Builds what of `dist` was not built from exactly these sources.
 *
 * @param {{ all?: boolean }} [options] all: builds everything
 */
export async function ensureBuilt({ all = false } = {}) {
  const sources = await hashSources();
  if (all || (await readHash(SOURCE_HASH_FILE)) !== sources) {
    printProgress('Building ...');
    // An interrupted build must not count as one of these sources.
    await rm(SOURCE_HASH_FILE, { force: true });
    for (const command of BUILD_COMMANDS) await runOrThrow(command);
    await writeFile(SOURCE_HASH_FILE, sources);
  }
  // The build of the programs empties the folder.
  for (const part of SEPARATE_PARTS) {
    const hash = await hashPart(part);
    if (!all && (await readHash(getHashFile(part))) === hash) continue;
    await rm(getHashFile(part), { force: true });
    await runOrThrow(part.command);
    await writeFile(getHashFile(part), hash);
  }
}

/** @param {readonly string[]} command */
async function runOrThrow([command, ...parameters]) {
  const { code, output } = await runCaptured(command, parameters);
  if (code !== 0) throw new UserFacingError(`The build failed (${command} ${parameters.join(' ')}).`, output);
}

/**
 * Hashes names and contents of files and of all files in folders; a missing path changes the hash, too.
 *
 * @param {string} root @param {readonly string[]} paths relative to the root @param {RegExp} excluded paths of files
 */
export async function hashFiles(root, paths, excluded = EXCLUDED) {
  const hash = createHash('sha256');
  for (const file of await listFiles(root, paths, excluded)) {
    const content = await readFile(join(root, file)).catch(() => 'absent');
    hash.update(`${file}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} root @param {readonly string[]} paths @param {RegExp} excluded @returns {Promise<string[]>} sorted */
async function listFiles(root, paths, excluded) {
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
  const sourceFiles = found.filter((path) => !excluded.test(path) && !path.includes('node_modules'));
  return sourceFiles.sort();
}
