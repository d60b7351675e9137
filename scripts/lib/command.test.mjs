import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runUntilPrinted } from './start-script.mjs';

const MODULES = new URL('.', import.meta.url).href;

let folder;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'interrupted-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Makes a file, runs a command that does not end by itself, and deletes the file. */
const buildScript = () => `
  import { rm, writeFile } from 'node:fs/promises';
  const { runCaptured } = await import('${MODULES}command.mjs');
  const { runScript } = await import('${MODULES}user-facing-error.mjs');
  await runScript(async () => {
    const file = ${JSON.stringify(join(folder, 'file'))};
    await writeFile(file, '');
    try {
      const running = runCaptured('sleep', ['1000']);
      console.log('running');
      await running;
    } finally {
      await rm(file);
    }
  });`;

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('a %s during a command ends the script with code %i after its cleanup', async (signal, code) => {
  const script = await runUntilPrinted(buildScript(), 'running');
  expect(await readdir(folder)).toEqual(['file']);
  expect(await script.endWith(signal)).toMatchObject({ code, stderr: '' });
  expect(await readdir(folder)).toEqual([]);
});
