import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileOrDevice } from './write-file.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-cli-write-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('writeFileOrDevice', () => {
  it('makes the folders of a file and replaces what it was', async () => {
    const path = join(folder, 'a', 'b.txt');
    for (const content of ['first', 'second']) await writeFileOrDevice(path, content);
    expect(await readFile(path, 'utf8')).toBe('second');
    expect(await readdir(join(folder, 'a'))).toEqual(['b.txt']);
  });

  it('writes a file whose name is as long as names may be', async () => {
    const path = join(folder, `${'a'.repeat(251)}.txt`);
    for (const content of ['first', 'second']) await writeFileOrDevice(path, content);
    expect(await readFile(path, 'utf8')).toBe('second');
  });

  it.skipIf(process.platform === 'win32')('keeps the mode of a file that it replaces', async () => {
    const path = join(folder, 'private.txt');
    await writeFile(path, 'first');
    for (const mode of [0o600, 0o666]) {
      await chmod(path, mode);
      await writeFileOrDevice(path, 'second');
      expect((await lstat(path)).mode & 0o777).toBe(mode);
    }
  });

  it.each(['target.txt', 'not-yet.txt'])(
    'writes %s behind a symbolic link, which stays one',
    async (name) => {
      const [link, target] = [join(folder, 'link'), join(folder, name)];
      await writeFile(join(folder, 'target.txt'), 'before');
      await symlink(name, link);
      await writeFileOrDevice(link, 'after');
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(await readFile(target, 'utf8')).toBe('after');
    },
  );

  it.skipIf(process.platform === 'win32')('writes to a pipe, which stays one', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [, read] = await Promise.all([writeFileOrDevice(pipe, 'through'), readFile(pipe, 'utf8')]);
    expect(read).toBe('through');
    expect((await lstat(pipe)).isFIFO()).toBe(true);
  });

  it('names a file that cannot be written, and one without a name', async () => {
    await expect(writeFileOrDevice(folder, 'x')).rejects.toThrow(`${folder} could not be written: EISDIR`);
    await expect(writeFileOrDevice('', 'x')).rejects.toThrow('The name of the file to write is empty.');
  });
});
