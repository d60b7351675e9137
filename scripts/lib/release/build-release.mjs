import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
/** Of no use in a release: the stamp that says whether a checkout has to be built. */
const LEFT_OUT = join(ROOT, 'dist', '.built-from');
const NATIVE = 'dist/libs/database/src/embedded/supervisor/native-binaries.mjs';

/**
 * Builds a release in a draft folder and renames it, so that the folder is complete or missing.
 *
 * @param {string} folder absolute, not there yet
 * @returns {Promise<{ version: string }>}
 * @throws UserFacingError
 */
export async function buildRelease(folder) {
  const draft = `${folder}.draft-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await refuseExisting(folder);
  try {
    await mkdir(draft, { mode: 0o755 });
    for (const path of COPIED)
      await cp(join(ROOT, path), join(draft, path), { recursive: true, filter: (from) => from !== LEFT_OUT });
    await rename(join(draft, 'deploy', 'bin'), join(draft, 'bin'));
    await productionPackages(draft);
    await linkPostgres(draft);
    // Another user may run it.
    await succeed('chmod', ['-R', 'a+rX,go-w', draft]);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** @param {string} folder */
async function refuseExisting(folder) {
  const made = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (!made) throw new UserFacingError(`${folder} is there already. A release gets a folder of its own.`);
  await rm(folder, { recursive: true });
}

/** Those of the checkout without what only developers need: the same files, and no network. @param {string} draft */
async function productionPackages(draft) {
  printProgress('Copying packages ...');
  await succeed('cp', ['-a', join(ROOT, 'node_modules'), draft]);
  const flags = [
    '--omit=dev',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await succeed('npm', ['prune', ...flags], draft);
}

/** The embedded Postgres needs links between its libraries, and makes them where it may. @param {string} draft */
async function linkPostgres(draft) {
  const { prepareNativeBinaries } = await import(pathToFileURL(join(draft, NATIVE)).href);
  await prepareNativeBinaries({}, join(tmpdir(), `zephyr-release-${process.pid}`));
}

/** @param {string} command @param {readonly string[]} parameters @param {string} [cwd] */
async function succeed(command, parameters, cwd = ROOT) {
  const { code, output } = await runCaptured(command, parameters, { cwd });
  if (code !== 0) throw new UserFacingError(`${command} ${parameters[0]} failed with code ${code}.`, output);
}
