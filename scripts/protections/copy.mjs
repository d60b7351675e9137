import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { tryLock } from '../../libs/database/src/embedded/keeper/process-lock.mjs';
import { ROOT } from '../lib/root.mjs';
import { Trouble } from '../lib/trouble.mjs';
import { withoutIt } from './protection.mjs';

/** Everything that tests read, the build included. */
const PARTS = [
  ...['apps', 'libs', 'test', 'scripts', 'bench', 'assets', 'docs', 'dist'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'],
];

/**
 * A copy of the project with the packages of this one, always in the same place: the server of the tests goes by that.
 *
 * @returns {Promise<{ root: string, remove(): Promise<void> }>}
 * @throws Trouble while another command has one
 */
export async function makeCopy() {
  const lock = await tryLock(join(ROOT, '.cache'), 'protections');
  if (!lock) throw new Trouble('Protections are being tried in this checkout already. Wait for that to end.');
  const root = join(ROOT, '.cache', 'protections');
  const empty = () => rm(root, { recursive: true, force: true });
  await empty();
  await mkdir(root);
  for (const part of PARTS) await cp(join(ROOT, part), join(root, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => empty().then(lock.release) };
}

/**
 * Runs the work while the copy lacks the protection, in its sources and in its build.
 *
 * @template T @param {string} root @param {import('./protection.mjs').Protection} protection
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileWithout(root, protection, work) {
  const path = join(root, protection.file);
  const built = join(root, 'dist', protection.file.replace(/\.ts$/, '.js'));
  const source = await readFile(path, 'utf8');
  const builtBefore = await readFile(built, 'utf8').catch(() => undefined);
  const changed = withoutIt(protection, source);
  try {
    await writeFile(path, changed);
    if (builtBefore !== undefined) await writeFile(built, compiled(changed, protection.file));
    return await work();
  } finally {
    await writeFile(path, source);
    if (builtBefore !== undefined) await writeFile(built, builtBefore);
  }
}

/** One file as the build would make it; nothing is judged. */
function compiled(source, file) {
  if (!file.endsWith('.ts')) return source;
  const { outputText } = ts.transpileModule(source, {
    fileName: file,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  });
  const libs = relative(dirname(file), 'libs');
  return outputText.replaceAll(/(["'])@app\/(\w+)\1/g, (_, quote, name) => {
    const place = join(libs, name, 'src', 'index.js');
    return quote + (place.startsWith('.') ? place : `./${place}`) + quote;
  });
}
