import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from '../../scripts/lib/root.mjs';

const SOURCES = ['normalised', 'sclite'];

/**
 * The judge that the tests use (`test/support/sclite.ts`), turned into JavaScript: it is no part of the build.
 *
 * @returns {Promise<(reference: string, hypothesis: string) => Promise<{ percent: number, errors: number, words: number }>>}
 */
export async function loadJudge() {
  const folder = join(ROOT, '.cache', 'bench', 'judge');
  await mkdir(folder, { recursive: true });
  for (const name of SOURCES) {
    const source = await readFile(join(ROOT, 'test', 'support', `${name}.ts`), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    await writeFile(join(folder, `${name}.js`), outputText);
  }
  const { wordErrorRate } = await import(pathToFileURL(join(folder, 'sclite.js')).href);
  return wordErrorRate;
}
