import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Sources turned into JavaScript, for a child process that plain Node is to run. The files keep their places
 * relative to each other; nothing is type-checked.
 * @param paths files and folders (not their subfolders) below the root of the project
 */
export async function compileSources(
  paths: string[],
): Promise<{ path(source: string): string; remove(): Promise<void> }> {
  const target = join(ROOT, '.cache', `compiled-${process.pid}`);
  for (const path of paths) {
    for (const source of await sourcesIn(path)) {
      const { outputText } = ts.transpileModule(await readFile(join(ROOT, source), 'utf8'), {
        compilerOptions: {
          target: ts.ScriptTarget.ES2023,
          module: ts.ModuleKind.ESNext,
          experimentalDecorators: true,
          emitDecoratorMetadata: true,
        },
      });
      const place = join(target, source.replace(/\.ts$/, '.js'));
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, outputText);
    }
  }
  return {
    path: (source) => join(target, source.replace(/\.ts$/, '.js')),
    remove: () => rm(target, { recursive: true, force: true }),
  };
}

async function sourcesIn(path: string): Promise<string[]> {
  if (path.endsWith('.ts')) return [path];
  const names = await readdir(join(ROOT, path));
  return names.filter((name) => /(?<!\.test|\.contract|\.d)\.ts$/.test(name)).map((name) => join(path, name));
}
