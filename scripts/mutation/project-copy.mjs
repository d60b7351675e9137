import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { tryLock } from '../../libs/database/src/embedded/supervisor/process-lock.mjs';
import { runCaptured } from '../lib/command.mjs';
import { ROOT } from '../lib/root.mjs';
import { UserFacingError } from '../lib/user-facing-error.mjs';
import { applyMutation, getTestProject } from './mutation.mjs';

const PROGRAMS = ['api', 'processor', 'admin'];
/** Suites that run the built programs. */
const BLACK_BOX_SUITES = ['e2e', 's3', 'faults'];

/** What tests read, the build included. */
const COPIED_PATHS = [
  ...['apps', 'libs', 'test', 'scripts', 'bench', 'assets', 'docs', 'dist', 'packages'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'],
];

/**
 * Creates a copy of the project that shares node_modules. Its path is fixed, because the test database server is
 * looked up by path.
 *
 * @returns {Promise<{ root: string, remove(): Promise<void> }>}
 * @throws UserFacingError while another mutation run uses it
 */
export async function createProjectCopy() {
  const folder = join(ROOT, '.cache', 'mutation');
  const lock = await tryLock(folder, 'lock');
  if (!lock)
    throw new UserFacingError('Mutation tests are running in this checkout already. Wait for them to end.');
  const root = join(folder, 'project');
  const removeFiles = () => rm(root, { recursive: true, force: true });
  await removeFiles();
  await mkdir(root);
  for (const path of COPIED_PATHS) await cp(join(ROOT, path), join(root, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => removeFiles().then(lock.release) };
}

/**
 * Runs the work while the mutations are applied to the sources and the build of the copy.
 *
 * @template T @param {string} root @param {import('./mutation.mjs').Mutation[]} mutations at most one per file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withMutations(root, mutations, work) {
  const originals = new Map();
  const replace = async (name, mutate) => {
    const path = join(root, name);
    const original = await readFile(path, 'utf8').catch(() => undefined);
    if (original === undefined) return;
    originals.set(path, original);
    await writeFile(path, mutate(original));
  };
  try {
    for (const mutation of mutations) {
      const { file } = mutation;
      const mutated = applyMutation(mutation, await readFile(join(root, file), 'utf8'));
      await replace(file, () => mutated);
      await replace(join('dist', file.replace(/\.ts$/, '.js')), () => transpile(mutated, file));
    }
    if (mutations.some((mutation) => BLACK_BOX_SUITES.includes(getTestProject(mutation)))) await pack(root);
    return await work();
  } finally {
    for (const [path, original] of originals) await writeFile(path, original);
  }
}

/** Compiles the entry points first, because packing replaces them. @throws UserFacingError */
async function pack(root) {
  for (const name of PROGRAMS) {
    const main = join('apps', name, 'src', 'main.ts');
    const source = await readFile(join(root, main), 'utf8');
    await writeFile(join(root, 'dist', main.replace(/\.ts$/, '.js')), transpile(source, main));
  }
  await rm(join(root, 'dist', 'packed'), { recursive: true, force: true });
  const { code, output } = await runCaptured(process.execPath, [join(root, 'scripts', 'pack.mjs')], {
    cwd: root,
  });
  if (code !== 0) throw new UserFacingError('A mutated copy of the programs could not be packed.', output);
}

/** Compiles one file as the build does, without a type check. */
function transpile(source, file) {
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
    const path = join(libs, name, 'src', 'index.js');
    return quote + (path.startsWith('.') ? path : `./${path}`) + quote;
  });
}
