import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setScratchRoot } from '@app/speech';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcessStartTicks, buildScratchDirectoryPrefix, ScratchDirectory } from './scratch-directory.js';

let base: string;
beforeEach(async () => void (base = join(await mkdtemp(join(tmpdir(), 'scratch-')), 'work')));
afterEach(async () => {
  setScratchRoot(null);
  await rm(join(base, '..'), { recursive: true, force: true });
});

const HAS_NO_START_TIMES = readProcessStartTicks(process.pid) === 0;
if (HAS_NO_START_TIMES) console.log('Skipped: this system does not report the start times of processes.');

const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

/** Creates the scratch directory of a process, with audio in it. */
async function createDirectory(pid: number, host?: string, start?: number): Promise<string> {
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
    await createDirectory(deadPid());
    const scratch = await ScratchDirectory.open(base);
    expect(await names()).toEqual([basename(scratch.path)]);
    await createDirectory(deadPid());
    await scratch.cleanUp();
    expect(await names()).toEqual([basename(scratch.path)]);
  });

  it.skipIf(HAS_NO_START_TIMES)(
    'removes the directory of a killed process whose process id was reused',
    async () => {
      const before = readProcessStartTicks(process.ppid) - 1;
      const [live, abandoned] = [
        await createDirectory(process.ppid),
        await createDirectory(process.ppid, undefined, before),
      ];
      const { path: folder } = await ScratchDirectory.open(base);
      expect(await names()).toEqual([basename(folder), basename(live)].toSorted());
      expect(await names()).not.toContain(basename(abandoned));
    },
  );

  it('keeps the directories of live processors, of other hosts and of other programs', async () => {
    await mkdir(base);
    const live = [await createDirectory(process.ppid), await createDirectory(deadPid(), 'another-host')];
    await mkdir(join(base, 'mine'));
    const { path: folder } = await ScratchDirectory.open(base);
    expect(await names()).toEqual([...live, folder, 'mine'].map((path) => basename(path)).toSorted());
  });

  it('removes directories of other hosts that have not been touched for twenty minutes', async () => {
    const scratch = await ScratchDirectory.open(base);
    const other = await createDirectory(process.ppid, 'another-host');
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
