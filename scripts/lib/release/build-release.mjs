import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCaptured } from '../command.mjs';
import { ROOT } from '../root.mjs';
import { printProgress, UserFacingError } from '../user-facing-error.mjs';

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
 * Builds a release in a draft folder and renames it, so that the folder is complete or missing.
 *
 * @param {string} folder an absolute path that does not exist
 * @returns {Promise<{ version: string }>}
 * @throws UserFacingError
 */
export async function buildRelease(folder) {
  const draft = `${folder}.draft-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await assertMissing(folder);
  try {
    await mkdir(draft, { mode: 0o755 });
    for (const path of COPIED)
      await cp(join(ROOT, path), join(draft, path), {
        recursive: true,
        filter: belongsToRelease,
      });
    await rename(join(draft, 'deploy', 'bin'), join(draft, 'bin'));
    await copyProductionPackages(draft);
    await linkPostgres(draft);
    // Another user may run the release.
    await runOrThrow('chmod', ['-R', 'a+rX,go-w', draft]);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** @param {string} path of a file or folder of the checkout */
export function belongsToRelease(path) {
  return !EXCLUDED_NAMES.includes(basename(path));
}

/** @param {string} folder */
async function assertMissing(folder) {
  const isCreated = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (!isCreated) throw new UserFacingError(`${folder} already exists. A release needs a new folder.`);
  await rm(folder, { recursive: true });
}

/** Copies them from the checkout and removes development packages, without a network. @param {string} draft */
async function copyProductionPackages(draft) {
  printProgress('Copying packages ...');
  await runOrThrow('cp', ['-a', join(ROOT, 'node_modules'), draft]);
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
