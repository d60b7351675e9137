import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError } from '../errors.js';
import { expandInputs } from './expand-inputs.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-cli-inputs-'));
  await mkdir(join(folder, 'sealed'));
  await mkdir(join(folder, 'sub'));
  for (const name of ['b.wav', 'sub/a.mp3', 'notes.md']) await writeFile(join(folder, name), 'x');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As for a user who may not read the folder `sealed`. */
const listAsOther: typeof listFolder = (path) =>
  path.endsWith('sealed')
    ? Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
    : listFolder(path);
const listFolder = (path: string) => readdir(path, { withFileTypes: true });

describe('inputs', () => {
  it('in a folder that may not be read have the reason', async () => {
    const sealed = join(folder, 'sealed');
    await expect(expandInputs([sealed], listAsOther)).rejects.toThrow(`${sealed}: permission denied.`);
  });

  it.each(['', '/**/*.{wav,mp3}'])('beside a folder that may not be read are found (%j)', async (pattern) => {
    const { found, unreadable } = await expandInputs([`${folder}${pattern}`], listAsOther);
    expect(found.map(({ relativePath }) => relativePath)).toEqual(['b.wav', join('sub', 'a.mp3')]);
    expect(unreadable).toEqual([join(folder, 'sealed')]);
  });

  it.each([
    ['*.wav', [''], []],
    ['*/*.mp3', ['', 'sealed', 'sub'], ['sealed']],
    ['sub/**/*.mp3', ['sub'], []],
    ['{sub,other}/*.mp3', ['', 'sub'], []],
    ['s{ub/a,ealed/b}*.mp3', ['', 'sealed', 'sub'], ['sealed']],
    ['**/a.mp3', ['', 'sealed', 'sub'], ['sealed']],
  ])('of %s are looked for only in folders that can have them', async (pattern, folders, sealed) => {
    const listed: string[] = [];
    const list: typeof listFolder = (path) => {
      listed.push(relative(folder, path));
      return listAsOther(path);
    };
    const { unreadable } = await expandInputs([`${folder}/${pattern}`], list);
    expect(listed.toSorted()).toEqual(folders);
    expect(unreadable).toEqual(sealed.map((name) => join(folder, name)));
  });

  it('beside a named folder that may not be read are found', async () => {
    const inputs = ['b.wav', 'sealed'].map((name) => join(folder, name));
    const { found, unreadable } = await expandInputs(inputs, listAsOther);
    expect({ found: found.map(({ input }) => input), unreadable }).toEqual({
      found: [inputs[0]],
      unreadable: [inputs[1]],
    });
  });

  it('whose URL has percent signs that are no text are named as they are written', async () => {
    const inputs = ['https://host.example/M%E4rz.mp3', 'https://host.example/100%.mp3'];
    const { found } = await expandInputs(inputs);
    expect(found.map(({ relativePath }) => relativePath)).toEqual(['M%E4rz.mp3', '100%.mp3']);
  });

  it('whose URLs differ by their query have different names', async () => {
    const addresses = ['get?id=1', 'get?id=2', 'talk.mp3?token=a', 'talk.mp3', 'talk.mp3#t=1'];
    const { found } = await expandInputs(addresses.map((each) => `https://host.example/${each}`));
    const names = found.map(({ relativePath }) => relativePath);
    expect(names.slice(3)).toEqual(['talk.mp3', 'talk.mp3']);
    expect(names[2]).toMatch(/^talk-[\da-f]{8}\.mp3$/);
    for (const name of names.slice(0, 2)) expect(name).toMatch(/^get-[\da-f]{8}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it.skipIf(process.platform === 'win32')(
    'in a folder are no pipes, and a named pipe is refused',
    async () => {
      const pipe = join(folder, 'live.wav');
      execFileSync('mkfifo', [pipe]);
      await symlink('live.wav', join(folder, 'link.wav'));
      const { found } = await expandInputs([folder]);
      expect(found.map(({ relativePath }) => relativePath)).toEqual(['b.wav', join('sub', 'a.mp3')]);
      await expect(expandInputs([pipe])).rejects.toThrow(`zephyr transcribe - < ${pipe}`);
    },
  );

  it('that do not exist are refused', async () => {
    const absent = join(folder, 'absent');
    await expect(expandInputs([absent])).rejects.toThrow(`${absent} does not exist.`);
    const dated = join(folder, 'talk [2024-01-05].wav');
    await expect(expandInputs([dated])).rejects.toThrow(new CommandError(`${dated} does not exist.`));
    await expect(expandInputs([join(absent, '*.wav')])).rejects.toThrow(`${absent} does not exist.`);
  });
});
