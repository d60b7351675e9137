import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The supervisor is plain JavaScript without types. */
const { findRenewalElsewhere, processMark, tryLock } = (await import(
  new URL('./supervisor/process-lock.mjs', import.meta.url).href
)) as {
  findRenewalElsewhere: (folder: string, name: string) => Promise<number | null>;
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

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('a lock of a process that cannot be looked up (skipped but on Linux)', () => {
  const LONG_AGO = new Date(Date.now() - 60_000);
  const WRITERS: [string, (own: string[]) => string[]][] = [
    ['another container', ([pid = '', start = '', boot = '']) => [pid, start, boot, 'pid:[1]']],
    ['another machine', ([pid = '', start = '', , namespace = '']) => [pid, start, 'boot', namespace]],
  ];

  it.each(WRITERS)('of %s is held while it is renewed', async (_, change) => {
    const path = join(folder, 'test.1');
    const own = (await processMark(process.pid)).split(' ');
    await writeFile(path, change(own).join(' '));
    expect(await tryLock(folder, 'test')).toBeNull();
    expect(await findRenewalElsewhere(folder, 'test')).toBe((await stat(path)).mtimeMs);
    await utimes(path, LONG_AGO, LONG_AGO);
    expect(await findRenewalElsewhere(folder, 'test')).toBeNull();
    expect(await tryLock(folder, 'test')).not.toBeNull();
  });

  it('is renewed by its holder', async () => {
    const lock = await tryLock(folder, 'test');
    const path = join(folder, 'test.1');
    await utimes(path, LONG_AGO, LONG_AGO);
    const age = async () => Date.now() - (await stat(path)).mtimeMs;
    await vi.waitFor(async () => expect(await age()).toBeLessThan(5_000), { timeout: 20_000 });
    expect(await findRenewalElsewhere(folder, 'test')).toBeNull();
    await lock?.release();
  });

  it('of an earlier version, which wrote no namespace, is held by a process that lives here', async () => {
    const mark = (await processMark(process.pid)).split(' ').slice(0, 3).join(' ');
    await writeFile(join(folder, 'test.1'), mark);
    expect(await tryLock(folder, 'test')).toBeNull();
  });
});
