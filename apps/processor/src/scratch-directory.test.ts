import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setScratchRoot } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcessStartTicks, buildScratchDirectoryPrefix, ScratchDirectory } from './scratch-directory.js';

let base: string;
beforeEach(async () => void (base = join(await mkdtemp(join(tmpdir(), 'work-places-')), 'work')));
afterEach(async () => {
  setScratchRoot(null);
  await rm(join(base, '..'), { recursive: true, force: true });
});

const NO_STARTS = readProcessStartTicks(process.pid) === 0;
if (NO_STARTS) console.log('Skipped: this system does not tell when a process began.');

const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

/** Of a processor whose audio is still in it. */
async function folderOf(pid: number, host?: string, start?: number): Promise<string> {
  const path = join(base, `${buildScratchDirectoryPrefix(pid, host, start)}abc`);
  await mkdir(join(path, 'audio'), { recursive: true });
  return path;
}

const names = async () => (await readdir(base)).toSorted();

describe('ScratchDirectory', () => {
  it('is created with private permissions and removed when the process ends', async () => {
    const scratch = await ScratchDirectory.open(base);
    expect(await names()).toEqual([basename(scratch.path)]);
    expect((await stat(base)).mode & 0o077).toBe(0);
    scratch.remove();
    expect(await names()).toEqual([]);
  });

  it('removes the directories of killed processors when it is opened and at every cleanup', async () => {
    await folderOf(deadPid());
    const scratch = await ScratchDirectory.open(base);
    expect(await names()).toEqual([basename(scratch.path)]);
    await folderOf(deadPid());
    await scratch.cleanUp();
    expect(await names()).toEqual([basename(scratch.path)]);
  });

  it.skipIf(NO_STARTS)('removes the directory of a killed process whose process id was reused', async () => {
    const before = readProcessStartTicks(process.ppid) - 1;
    const [kept, left] = [await folderOf(process.ppid), await folderOf(process.ppid, undefined, before)];
    const { path: folder } = await ScratchDirectory.open(base);
    expect(await names()).toEqual([basename(folder), basename(kept)].toSorted());
    expect(await names()).not.toContain(basename(left));
  });

  it('keeps the directories of live processors, of other hosts and of other programs', async () => {
    await mkdir(base);
    const kept = [await folderOf(process.ppid), await folderOf(deadPid(), 'another-host')];
    await mkdir(join(base, 'mine'));
    const { path: folder } = await ScratchDirectory.open(base);
    expect(await names()).toEqual([...kept, folder, 'mine'].map((path) => basename(path)).toSorted());
  });

  it('removes directories of other hosts that have not been touched for twenty minutes', async () => {
    const scratch = await ScratchDirectory.open(base);
    const other = await folderOf(process.ppid, 'another-host');
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    await utimes(other, ago(1100), ago(1100));
    await scratch.cleanUp();
    expect(await names()).toContain(basename(other));
    await utimes(other, ago(1300), ago(1300));
    await utimes(scratch.path, ago(1300), ago(1300));
    await scratch.cleanUp();
    expect(await names()).toEqual([basename(scratch.path)]);
    expect((await stat(scratch.path)).mtimeMs).toBeGreaterThan(ago(60).getTime());
  });

  it('is created again by the next cleanup when someone has removed it', async () => {
    const scratch = await ScratchDirectory.open(base);
    scratch.remove();
    await scratch.cleanUp();
    expect(await names()).toEqual([basename(scratch.path)]);
  });
});
