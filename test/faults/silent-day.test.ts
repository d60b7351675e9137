import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chunkAudioToSink, decodeAudioToMono } from '@app/speech';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectTranscriptDocument } from '../e2e/support/transcript-document.js';
import { measurePeakMemoryIncrease } from '../e2e/support/measure-memory.js';
import { Service } from '../e2e/support/service.js';
import { makeMedia } from '../support/make-media.js';

const HOURS = 24;
const TEST_MS = 600_000;
const NEVER = new AbortController().signal;
const MAX_INCREASE_BYTES = 150 * 2 ** 20;

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

  it('a day of silence is decoded and split in constant memory into no chunks', async () => {
    expect((await stat(path)).size).toBeLessThan(17_000_000);
    let duration = 0;
    const increase = await measurePeakMemoryIncrease(process.pid, async () => {
      const summary = await chunkAudioToSink({ path, signal: NEVER }, () =>
        Promise.reject(new Error('a chunk')),
      );
      duration = summary.duration;
      expect(summary).toMatchObject({ speechSeconds: 0, chunks: 0 });
    });
    expect(Math.abs(duration - HOURS * 3600)).toBeLessThan(1);
    expect(increase).toBeLessThan(MAX_INCREASE_BYTES);
  });

  it('the service returns an empty transcript for a day of silence', async () => {
    const service = await Service.start();
    onTestFinished(() => service.stop());
    const client = await service.client();
    const { job_id, download_url } = await client.submit(new Uint8Array(await readFile(path)));
    expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    const document = expectTranscriptDocument((await client.download(download_url)).text, job_id);
    expect(document).toMatchObject({
      text: '',
      segments: [],
      speakers: [],
      warnings: [{ code: 'no_speech' }],
    });
    expect(Math.abs(document.duration - HOURS * 3600)).toBeLessThan(1);
  });

  it('decoding fails at the limit of CPU time, and a partly decoded file does not count as whole', async () => {
    const work = async (): Promise<void> => {
      const blocks = decodeAudioToMono(path, { signal: NEVER, limits: { cpuSeconds: 1 } });
      for await (const block of blocks) expect(block.length).toBeGreaterThan(0);
    };
    await expect(work()).rejects.toMatchObject({ name: 'ToolTimeoutError', limit: 'cpu' });
  });
});
