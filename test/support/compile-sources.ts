import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Transpiles sources, without a type check, for a child process that runs Node without vitest. The files keep their
 * relative paths, and `@app/<lib>` becomes the index of that library, which is compiled, too.
 * @param paths files and folders, relative to the root of the project
 */
export async function compileSources(
  paths: string[],
): Promise<{ path(source: string): string; remove(): Promise<void> }> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const target = await mkdtemp(join(ROOT, '.cache', 'compiled-'));
  const path = (source: string) => join(target, source.replace(/\.ts$/, '.js'));
  const foldersAndFiles = new Set(paths);
  for (const folderOrFile of foldersAndFiles) {
    for (const source of await listSources(folderOrFile)) {
      const { outputText } = ts.transpileModule(await readFile(join(ROOT, source), 'utf8'), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2023,
          module: ts.ModuleKind.ESNext,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
        },
      });
      const up = '../'.repeat(dirname(source).split('/').length);
      const output = outputText.replace(/'@app\/(\w+)'/g, (_, lib: string) => {
        foldersAndFiles.add(`libs/${lib}/src`);
        return `'${up}libs/${lib}/src/index.js'`;
      });
      await mkdir(dirname(path(source)), { recursive: true });
      await writeFile(path(source), output);
    }
  }
  return { path, remove: () => rm(target, { recursive: true, force: true }) };
}

async function listSources(path: string): Promise<string[]> {
  if (path.endsWith('.ts')) return [path];
  const names = await readdir(join(ROOT, path), { recursive: true });
  return names.filter((name) => /(?<!\.test|\.contract|\.d)\.ts$/.test(name)).map((name) => join(path, name));
}
