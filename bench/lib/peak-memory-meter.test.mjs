import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { PeakMemoryMeter } from './peak-memory-meter.mjs';

const MEGABYTE = 1024 ** 2;
const PROGRAM = `Buffer.alloc(150 * ${MEGABYTE}, 1); console.log('full'); process.stdin.resume();`;

const linux = process.platform === 'linux';
if (!linux) console.warn('Skipped: peak memory is measured only with /proc.');

it.skipIf(!linux)('PeakMemoryMeter returns the peak memory of a program in the tree', async () => {
  const child = spawn(process.execPath, ['-e', PROGRAM, 'program-of-the-test'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const meter = new PeakMemoryMeter(process.pid, {
      program: 'program-of-the-test',
      other: 'no-such-program',
    });
    const peaks = await meter.stop();
    expect(peaks.get('program')).toBeGreaterThan(150 * MEGABYTE);
    expect(peaks.get('program')).toBeLessThan(400 * MEGABYTE);
    expect(peaks.has('other')).toBe(false);
  } finally {
    child.kill();
  }
});
