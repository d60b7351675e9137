import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutAudio, decode } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryRaisedBy } from '../e2e/support/memory.js';
import { makeMedia } from '../support/make-media.js';

const HOURS = 24;
const TEST_MS = 600_000;
const NEVER = new AbortController().signal;
/** Bytes. */
const MOST_RAISED = 150 * 2 ** 20;

describe('a day of silence in a file of 17 MB', { timeout: TEST_MS }, () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zephyr-day-'));
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '3600'];
    const hour = await readFile(await makeMedia(folder, 'hour.flac', ...silence));
    path = join(folder, 'day.flac');
    await writeFile(path, Buffer.concat(Array.from({ length: HOURS }, () => hour)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('is decoded and cut to its end in constant memory, and comes to no chunk', async () => {
    expect((await stat(path)).size).toBeLessThan(17_000_000);
    let duration = 0;
    const raised = await memoryRaisedBy(process.pid, async () => {
      const summary = await cutAudio({ path, signal: NEVER }, () => Promise.reject(new Error('a chunk')));
      duration = summary.duration;
      expect(summary).toMatchObject({ speechSeconds: 0, chunks: 0 });
    });
    expect(Math.abs(duration - HOURS * 3600)).toBeLessThan(1);
    expect(raised).toBeLessThan(MOST_RAISED);
  });

  it('is given up at the limit of processor time: what was decoded until then does not pass for all of it', async () => {
    const work = async (): Promise<void> => {
      const blocks = decode(path, { signal: NEVER, limits: { cpuSeconds: 1 } });
      for await (const block of blocks) expect(block.length).toBeGreaterThan(0);
    };
    await expect(work()).rejects.toMatchObject({ name: 'ToolTimedOut', limit: 'cpu' });
  });
});
