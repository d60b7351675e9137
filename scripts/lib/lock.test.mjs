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

/** Another process that takes the lock or not, says which, and stays. */
async function rival() {
  const code = `
    const { tryLock } = await import(${JSON.stringify(MODULE)});
    console.log((await tryLock(${JSON.stringify(folder)}, 'door')) ? 'held' : 'refused');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const answer = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  const kill = () => new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'));
  return { answer, kill };
}

describe('a lock between processes', () => {
  it('has one holder, and is free again once released', async () => {
    const lock = await tryLock(folder, 'door');
    expect(await tryLock(folder, 'door')).toBeNull();
    const other = await rival();
    expect(other.answer).toBe('refused');
    await other.kill();
    await lock.release();
    expect(await tryLock(folder, 'door')).not.toBeNull();
  });

  it('is free once its holder was killed', async () => {
    const other = await rival();
    expect(other.answer).toBe('held');
    expect(await tryLock(folder, 'door')).toBeNull();
    await other.kill();
    expect(await tryLock(folder, 'door')).not.toBeNull();
  });

  it('goes to exactly one of many who take over at once, and leaves one file', async () => {
    await (await rival()).kill();
    const rivals = await Promise.all([1, 2, 3, 4].map(rival));
    const answers = rivals.map(({ answer }) => answer);
    await Promise.all(rivals.map(({ kill }) => kill()));
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('door.'))).toHaveLength(1);
    expect(await tryLock(folder, 'door')).not.toBeNull();
  });
});
