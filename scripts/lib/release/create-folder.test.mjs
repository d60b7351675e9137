import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runUntilPrinted } from '../start-script.mjs';
import { createFolder } from './create-folder.mjs';

const LIB = new URL('..', import.meta.url).href;

let parent;
beforeEach(async () => (parent = await mkdtemp(join(tmpdir(), 'create-folder-'))));
afterEach(() => rm(parent, { recursive: true, force: true }));

const fill = (draft) => writeFile(join(draft, 'file'), 'text');

describe('a folder that is created', () => {
  it('has what its draft got, and leaves no draft', async () => {
    await createFolder(join(parent, 'deep', 'folder'), fill);
    expect(await readdir(join(parent, 'deep'))).toEqual(['folder']);
    expect(await readFile(join(parent, 'deep', 'folder', 'file'), 'utf8')).toBe('text');
  });

  it('is missing, and its draft too, after an error', async () => {
    const fail = async (draft) => {
      await fill(draft);
      throw new Error('no space left');
    };
    await expect(createFolder(join(parent, 'folder'), fail)).rejects.toThrow('no space left');
    expect(await readdir(parent)).toEqual([]);
  });

  it('is missing, and its draft too, after SIGINT between two commands', async () => {
    const script = await runUntilPrinted(
      `
      const { createFolder } = await import('${LIB}release/create-folder.mjs');
      const { runScript } = await import('${LIB}user-facing-error.mjs');
      await runScript(() => createFolder(${JSON.stringify(join(parent, 'folder'))}, async (draft, signal) => {
        console.log('filling');
        await new Promise((resolve) => {
          const timer = setInterval(() => undefined, 1_000);
          signal.addEventListener('abort', () => resolve(clearInterval(timer)));
        });
      }));`,
      'filling',
    );
    expect(await readdir(parent)).toEqual([expect.stringMatching(/^folder\.draft-\d+$/)]);
    expect(await script.endWith('SIGINT')).toMatchObject({ code: 130, stderr: '' });
    expect(await readdir(parent)).toEqual([]);
  });

  it('is missing, and its draft too, after a second SIGINT while the draft is deleted', async () => {
    const script = await runUntilPrinted(
      `
      const { writeFileSync } = await import('node:fs');
      const { createFolder } = await import('${LIB}release/create-folder.mjs');
      const { runScript } = await import('${LIB}user-facing-error.mjs');
      await runScript(() => createFolder(${JSON.stringify(join(parent, 'folder'))}, async (draft, signal) => {
        // Their deletion takes many turns.
        for (let file = 0; file < 100; file++) writeFileSync(draft + '/' + file, '');
        console.log('filling');
        await new Promise((resolve) => {
          const timer = setInterval(() => undefined, 1_000);
          signal.addEventListener('abort', () => resolve(clearInterval(timer)));
        });
        setImmediate(() => process.kill(process.pid, 'SIGINT'));
      }));`,
      'filling',
    );
    expect(await script.endWith('SIGINT')).toMatchObject({ code: 130, stderr: '' });
    expect(await readdir(parent)).toEqual([]);
  });

  it('must not exist', async () => {
    await expect(createFolder(parent, fill)).rejects.toThrow(`${parent} already exists.`);
  });

  it.runIf(process.platform === 'linux').each(['/proc/release', '/proc/version/release'])(
    'must be possible, unlike %s, and the reason is said',
    async (folder) => {
      await expect(createFolder(folder, fill)).rejects.toThrow(
        new RegExp(`^${folder} cannot be created: E[A-Z]+: `),
      );
    },
  );
});
