import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The supervisor is plain JavaScript without types. */
const { processMark, tryLock } = (await import(
  new URL('./supervisor/process-lock.mjs', import.meta.url).href
)) as {
  processMark: (pid: number) => Promise<string>;
  tryLock: (folder: string, name: string) => Promise<{ release(): Promise<void> } | null>;
};

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'process-lock-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('tryLock', () => {
  it('a lock whose holder lives is not taken, and is taken after its release', async () => {
    const lock = await tryLock(folder, 'test');
    expect(await readFile(join(folder, 'test.1'), 'utf8')).toBe(await processMark(process.pid));
    expect(await tryLock(folder, 'test')).toBeNull();
    await lock?.release();
    expect(await tryLock(folder, 'test')).not.toBeNull();
  });

  it.each([
    ['that a power failure has emptied', ''],
    ['of a process that does not live', '999999999 1 boot'],
    ['without the id of a process', 'nothing'],
  ])('a lock file %s is taken over', async (_, mark) => {
    await writeFile(join(folder, 'test.3'), mark);
    expect(await tryLock(folder, 'test')).not.toBeNull();
    expect(await readFile(join(folder, 'test.4'), 'utf8')).toBe(await processMark(process.pid));
  });
});
