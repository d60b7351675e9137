import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from '../../scripts/lib/root.mjs';

const SOURCES = ['normalize-text', 'sclite', 'md-eval', 'run-scorer', 'find-lost-and-added-words'];

/**
 * @typedef {object} Scorers helpers of the tests (`test/support/sclite.ts`, `md-eval.ts`, `find-lost-and-added-words.ts`)
 * @property {(reference: string, hypothesis: string) => Promise<{ percent: number, errors: number, words: number }>} computeWordErrors
 * @property {(reference: SpokenTurn[], hypothesis: SpokenTurn[], collar: number) => Promise<{ percent: number, scored: number }>} computeDiarizationErrors
 *   scored in seconds
 * @property {(text: string) => string} normalizeText before words are compared
 * @property {(before: RecognizedWordWithoutLanguage[], after: RecognizedWordWithoutLanguage[]) => { kind: 'lost' | 'added', text: string, at: number }[]} findLostAndAddedWords
 *
 * @typedef {{ text: string, start: number, end: number }} RecognizedWordWithoutLanguage
 *
 * @typedef {{ speaker: string | number, start: number, end: number }} SpokenTurn
 */

/**
 * Transpiles the scoring helpers of the tests, which are not part of the build.
 *
 * @returns {Promise<Scorers>}
 */
export async function loadScorers() {
  const folder = join(ROOT, '.cache', 'bench', 'scorers');
  await mkdir(folder, { recursive: true });
  for (const name of SOURCES) {
    const source = await readFile(join(ROOT, 'test', 'support', `${name}.ts`), 'utf8');
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
    });
    await writeFile(join(folder, `${name}.js`), outputText);
  }
  const load = (name) => import(pathToFileURL(join(folder, `${name}.js`)).href);
  const [
    { normalizeText },
    { computeWordErrors },
    { computeDiarizationErrors },
    ,
    { findLostAndAddedWords },
  ] = await Promise.all(SOURCES.map(load));
  return { normalizeText, computeWordErrors, computeDiarizationErrors, findLostAndAddedWords };
}
