import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { killWithParent } from '../../scripts/lib/parent-process.mjs';
import { findFreePort } from './free-port.mjs';

/** @returns {boolean} */
export function isRedisInstalled() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a private Redis with an append-only file that is synced every second.
 *
 * @param {string} folder @returns {Promise<{ url: string, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis(folder) {
  const [port, dir] = [String(await findFreePort()), join(folder, 'redis')];
  await mkdir(dir);
  const settings = { port, dir, bind: '127.0.0.1', save: '', appendonly: 'yes', appendfsync: 'everysec' };
  const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(...killWithParent('redis-server', parameters), { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const text of child.stdout.iterator({ destroyOnReturn: false }))
    if (String(text).includes('Ready to accept connections')) break;
  child.stdout.resume();
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `redis://127.0.0.1:${port}`, pid: child.pid, stop };
}
