import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { workFolderPrefix } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inWorkFolder, removeLeftFolders } from './work-folder.js';

let base: string;
beforeEach(async () => void (base = await mkdtemp(join(tmpdir(), 'work-folders-'))));
afterEach(() => rm(base, { recursive: true, force: true }));

const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;
const folderOf = async (pid: number, host?: string) => {
  const path = join(base, `${workFolderPrefix(pid, host)}abc`);
  await mkdir(path);
  return basename(path);
};

describe('a work folder', () => {
  it('is there for the work and gone after it, also when that fails', async () => {
    let seen = '';
    const failing = inWorkFolder((folder) => {
      seen = folder;
      return Promise.reject(new Error('failed'));
    });
    await expect(failing).rejects.toThrow('failed');
    expect(basename(seen).startsWith(workFolderPrefix())).toBe(true);
    await expect(stat(seen)).rejects.toThrow('ENOENT');
  });

  it('that a killed processor left is removed by the next one to start', async () => {
    await folderOf(deadPid());
    // A processor in a container mostly has the number of the one before it.
    await folderOf(process.pid);
    await removeLeftFolders(base);
    expect(await readdir(base)).toEqual([]);
  });

  it('of a processor that lives, or may live elsewhere, is left alone', async () => {
    const kept = [await folderOf(process.ppid), await folderOf(deadPid(), 'another-host')];
    await mkdir(join(base, 'zephyr-tests-1'));
    await removeLeftFolders(base);
    expect((await readdir(base)).toSorted()).toEqual([...kept, 'zephyr-tests-1'].toSorted());
  });
});
