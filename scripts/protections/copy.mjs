import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { tryLock } from '../../libs/database/src/embedded/keeper/process-lock.mjs';
import { capture } from '../lib/command.mjs';
import { ROOT } from '../lib/root.mjs';
import { Trouble } from '../lib/trouble.mjs';
import { ringOf, withoutIt } from './protection.mjs';

const PROGRAMS = ['api', 'processor', 'admin'];
/** Rings that run the built programs. */
const BLACK_BOXES = ['e2e', 's3', 'faults'];

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
 * Runs the work while the copy lacks the protections, in its sources and in its build.
 *
 * @template T @param {string} root @param {import('./protection.mjs').Protection[]} protections of a file one at most
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileWithout(root, protections, work) {
  const before = new Map();
  const replace = async (name, made) => {
    const path = join(root, name);
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === undefined) return;
    before.set(path, found);
    await writeFile(path, made(found));
  };
  try {
    for (const protection of protections) {
      const { file } = protection;
      const changed = withoutIt(protection, await readFile(join(root, file), 'utf8'));
      await replace(file, () => changed);
      await replace(join('dist', file.replace(/\.ts$/, '.js')), () => compiled(changed, file));
    }
    if (protections.some((protection) => BLACK_BOXES.includes(ringOf(protection)))) await pack(root);
    return await work();
  } finally {
    for (const [path, text] of before) await writeFile(path, text);
  }
}

/** Programs are packed from what is compiled, in its place: they are compiled again before. @throws Trouble */
async function pack(root) {
  for (const name of PROGRAMS) {
    const main = join('apps', name, 'src', 'main.ts');
    const source = await readFile(join(root, main), 'utf8');
    await writeFile(join(root, 'dist', main.replace(/\.ts$/, '.js')), compiled(source, main));
  }
  await rm(join(root, 'dist', 'packed'), { recursive: true, force: true });
  const { code, output } = await capture(process.execPath, [join(root, 'scripts', 'pack.mjs')], {
    cwd: root,
  });
  if (code !== 0) throw new Trouble('A copy without a protection could not be packed.', output);
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
