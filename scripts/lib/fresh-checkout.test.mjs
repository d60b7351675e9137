import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.mjs';

const STATIC_IMPORT = /^(?:import|(?:import|export) [^'";]*? from) '([^']+)';$/gm;
/** Developers run these when they have installed the packages. */
const DEVELOPER_SCRIPTS = ['docs.mjs', 'licences.mjs', 'mutation.mjs'];
const SCRIPTS = join(ROOT, 'scripts');

/** @param {string} file @param {Set<string>} seen @returns {Promise<string[]>} packages that the file imports before it runs */
async function listPackages(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const imported = [...(await readFile(file, 'utf8')).matchAll(STATIC_IMPORT)].map(([, id = '']) => id);
  const found = imported.filter((id) => !id.startsWith('.') && !isBuiltin(id));
  const files = imported.filter((id) => id.startsWith('.')).map((id) => join(dirname(file), id));
  const nested = await Promise.all(files.map((path) => listPackages(path, seen)));
  return [...found.map((id) => `${id} (${relative(ROOT, file)})`), ...nested.flat()];
}

describe('a script that prepares the checkout', async () => {
  const names = (await readdir(SCRIPTS)).filter((name) => name.endsWith('.mjs'));
  const sources = await Promise.all(names.map((name) => readFile(join(SCRIPTS, name), 'utf8')));
  const preparing = names.filter(
    (name, index) => sources[index]?.includes('prepareCheckout(') && !DEVELOPER_SCRIPTS.includes(name),
  );

  it('is each of those that a newcomer runs first', () => {
    expect(preparing).toEqual(
      expect.arrayContaining(['demo.mjs', 'start.mjs', 'test.mjs', 'test-containers.mjs']),
    );
  });

  it.each(preparing)('%s loads no npm package before', async (name) => {
    expect(await listPackages(join(SCRIPTS, name))).toEqual([]);
  });
});
