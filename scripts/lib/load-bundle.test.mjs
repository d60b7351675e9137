import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';

const LOADER = fileURLToPath(new URL('load-bundle.mjs', import.meta.url));
const PROGRAM = `
  const shared = require('./shared.cjs');
  const { basename } = require('node:path');
  importModule('node:os').then(({ EOL }) => process.stdout.write(shared.text() + basename(__filename) + EOL));
`;
const SHARED = "exports.text = () => 'loaded by ';";

/** @type {string} */
let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  await writeFile(join(folder, 'program.cjs'), PROGRAM);
  await writeFile(join(folder, 'shared.cjs'), SHARED);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** @param {NodeJS.ProcessEnv} [env] @returns {Promise<string>} what the program printed */
async function runProgram(env = {}) {
  const program = JSON.stringify(pathToFileURL(join(folder, 'program.cjs')).href);
  const code = `import { loadBundle } from ${JSON.stringify(pathToFileURL(LOADER).href)}; loadBundle(new URL(${program}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env,
  });
  return stdout;
}

it('a bundled program prints the same without a code cache, with one, and with a damaged one', async () => {
  expect(await runProgram({ WRITE_CODE_CACHE: '1' })).toBe('loaded by program.cjs\n');
  const caches = (await readdir(folder)).filter((name) => name.endsWith('.cache'));
  expect(caches.toSorted()).toEqual(['program.cjs.cache', 'shared.cjs.cache']);
  expect(await runProgram()).toBe('loaded by program.cjs\n');
  for (const name of caches) {
    const bytes = await readFile(join(folder, name));
    await writeFile(join(folder, name), bytes.fill(0, bytes.length / 2));
  }
  expect(await runProgram()).toBe('loaded by program.cjs\n');
});
