import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { PeakMemoryMeter } from './peak-memory-meter.mjs';

const MEGABYTE = 1024 ** 2;
const HOARDER = `Buffer.alloc(150 * ${MEGABYTE}, 1); console.log('full'); process.stdin.resume();`;

const linux = process.platform === 'linux';
if (!linux) console.warn('Skipped, peaks of memory are not watched: there is no /proc.');

it.skipIf(!linux)('tells the most that a program of the tree held', async () => {
  const child = spawn(process.execPath, ['-e', HOARDER, 'hoarder-of-the-test'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const watch = new PeakMemoryMeter(process.pid, {
      hoarder: 'hoarder-of-the-test',
      other: 'nobody-is-called-this',
    });
    const peaks = await watch.end();
    expect(peaks.get('hoarder')).toBeGreaterThan(150 * MEGABYTE);
    expect(peaks.get('hoarder')).toBeLessThan(400 * MEGABYTE);
    expect(peaks.has('other')).toBe(false);
  } finally {
    child.kill();
  }
});
