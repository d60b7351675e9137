import { cp, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCaptured } from '../command.mjs';
import { ROOT } from '../root.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';
import { createFolder } from './create-folder.mjs';

const COPIED = [
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'assets/sample',
  'deploy',
  'dist',
  'docs',
  'package.json',
  'package-lock.json',
];
/** Only checkouts use the hash that the build was made from, and only one installation its settings, which are secret. */
const EXCLUDED_NAMES = ['.built-from', '.env'];
const NATIVE = 'dist/libs/database/src/embedded/supervisor/native-binaries.mjs';

/**
 * @param {string} folder an absolute path that does not exist
 * @returns {Promise<{ version: string }>}
 * @throws UserFacingError
 */
export async function buildRelease(folder) {
  await createFolder(folder, fillRelease);
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** @param {string} draft an empty folder @param {AbortSignal} signal */
async function fillRelease(draft, signal) {
  for (const path of COPIED) {
    signal.throwIfAborted();
    await cp(join(ROOT, path), join(draft, path), { recursive: true, filter: belongsToRelease });
  }
  await rename(join(draft, 'deploy', 'bin'), join(draft, 'bin'));
  signal.throwIfAborted();
  await copyProductionPackages(draft);
  await linkPostgres(draft);
  // Another user may run the release.
  await runOrThrow('chmod', ['-R', 'a+rX,go-w', draft]);
}

/** @param {string} path of a file or folder of the checkout */
export function belongsToRelease(path) {
  return !EXCLUDED_NAMES.includes(basename(path));
}

/** Copies them from the checkout and removes development packages, without a network. @param {string} draft */
async function copyProductionPackages(draft) {
  printProgress('Copying packages ...');
  const target = join(draft, 'node_modules');
  await mkdir(target);
  await runOrThrow('cp', ['-a', ...(await listPackageFolders(join(ROOT, 'node_modules'))), target]);
  const flags = [
    '--omit=dev',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await runOrThrow('npm', ['prune', ...flags], draft);
}

/**
 * Without folders of tools, such as `.cache` and `.vite`, in which files may come and go.
 *
 * @param {string} folder node_modules @returns {Promise<string[]>} paths, also of what npm needs
 */
export async function listPackageFolders(folder) {
  const names = await readdir(folder);
  const ofNpm = ['.bin', '.package-lock.json'];
  return names
    .filter((name) => !name.startsWith('.') || ofNpm.includes(name))
    .map((name) => join(folder, name));
}

/** Creates the links between libraries of the embedded Postgres now, because a release may be read-only. @param {string} draft */
async function linkPostgres(draft) {
  const { prepareNativeBinaries } = await import(pathToFileURL(join(draft, NATIVE)).href);
  await prepareNativeBinaries({}, join(tmpdir(), `zephyr-release-${process.pid}`));
}

/** @param {string} command @param {readonly string[]} parameters @param {string} [cwd] */
async function runOrThrow(command, parameters, cwd = ROOT) {
  const { code, output } = await runCaptured(command, parameters, { cwd });
  if (code !== 0) throw new UserFacingError(`${command} ${parameters[0]} failed with code ${code}.`, output);
}
