import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MODULE = new URL('../../libs/database/src/embedded/supervisor/process-lock.mjs', import.meta.url).href;
const { tryLock } = await import(MODULE);

let folder;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'lock-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a process that tries to acquire the lock, prints the result, and continues to run. */
async function startRival() {
  const code = `
    const { tryLock } = await import(${JSON.stringify(MODULE)});
    console.log((await tryLock(${JSON.stringify(folder)}, 'test')) ? 'held' : 'rejected');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const result = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  const kill = () => new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'));
  return { result, kill };
}

describe('a lock between processes', () => {
  it('has one holder, and can be acquired again after its release', async () => {
    const lock = await tryLock(folder, 'test');
    expect(await tryLock(folder, 'test')).toBeNull();
    const other = await startRival();
    expect(other.result).toBe('rejected');
    await other.kill();
    await lock.release();
    expect(await tryLock(folder, 'test')).not.toBeNull();
  });

  it('can be acquired when its holder was killed', async () => {
    const other = await startRival();
    expect(other.result).toBe('held');
    expect(await tryLock(folder, 'test')).toBeNull();
    await other.kill();
    expect(await tryLock(folder, 'test')).not.toBeNull();
  });

  it('is acquired by exactly one of several concurrent processes, and leaves one file', async () => {
    await (await startRival()).kill();
    const rivals = await Promise.all([1, 2, 3, 4].map(startRival));
    const results = rivals.map(({ result }) => result);
    await Promise.all(rivals.map(({ kill }) => kill()));
    expect(results.filter((result) => result === 'held')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('test.'))).toHaveLength(1);
    expect(await tryLock(folder, 'test')).not.toBeNull();
  });
});
