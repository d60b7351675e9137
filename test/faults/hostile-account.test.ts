import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bytes, synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { Service } from '../e2e/support/service.js';
import { until } from '../e2e/support/until.js';
import { makeMedia } from '../support/make-media.js';
import { DrippingServer } from './support/dripping-server.js';

const START_MS = 120_000;
/** Of an honest job beside a hostile account; a fetch or a decode that occupied its place would take far longer. */
const JOB_MS = 60_000;
const HOSTILE_JOBS = 6;
const SILENT_HOURS = 47;

describe('an honest account beside a hostile one', { timeout: 240_000 }, () => {
  let service: Service;
  let hostile: Client;
  let honest: Client;
  let speech: Bytes;
  /** Seconds that the job of the honest account takes alone. */
  let aloneSeconds: number;

  beforeAll(async () => {
    speech = await synthesizeSpeech('I can see the library from the small mountain.');
    service = await Service.start({ OUTBOUND_ALLOW: '127.0.0.1' });
    hostile = await service.client((await service.openAccount(1)).api_key);
    honest = await service.client();
    await measureJobSeconds();
    const seconds = [await measureJobSeconds(), await measureJobSeconds(), await measureJobSeconds()];
    aloneSeconds = seconds.toSorted((a, b) => a - b)[1] ?? Infinity;
  }, START_MS);
  afterAll(() => service?.stop());

  /** From the complete call to the end of the job, which must succeed. */
  async function measureJobSeconds(): Promise<number> {
    const { job_id } = await honest.upload(speech);
    const startedAt = performance.now();
    await honest.complete(job_id);
    const events = await honest.events(job_id, { signal: AbortSignal.timeout(JOB_MS) });
    expect(events.at(-1)?.name).toBe('completed');
    return (performance.now() - startedAt) / 1_000;
  }

  /** The fastest of three, because the machine may do something else meanwhile. */
  async function expectJobsAsFastAsAlone(): Promise<void> {
    const seconds = [await measureJobSeconds(), await measureJobSeconds(), await measureJobSeconds()];
    console.log(`${aloneSeconds.toFixed(2)} s alone; ${seconds.map((s) => s.toFixed(2)).join(', ')} s`);
    expect(Math.min(...seconds)).toBeLessThan(2 * aloneSeconds);
  }

  it('uploads are processed while addresses of the other account send a byte a second', async () => {
    const server = await DrippingServer.start();
    try {
      const ids = await Promise.all(
        Array.from(
          { length: HOSTILE_JOBS },
          async () => (await hostile.create({ audio_url: server.url })).job_id,
        ),
      );
      await until('a fetch of the other account is open', () => server.open > 0);
      await expectJobsAsFastAsAlone();
      await Promise.all(ids.map((job_id) => hostile.post('/jobs/cancel', { job_id })));
    } finally {
      await server.stop();
    }
  });

  it('two days of silence that the other account cannot pay are not decoded to their end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-silence-'));
    try {
      const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '3600'];
      const hour = await readFile(await makeMedia(folder, 'hour.flac', ...silence));
      const days = new Uint8Array(Buffer.concat(Array.from({ length: SILENT_HOURS }, () => hour)));
      const submitted = await Promise.all(Array.from({ length: 3 }, () => hostile.submit(days)));
      await expectJobsAsFastAsAlone();
      for (const { job_id } of submitted) {
        await hostile.events(job_id, { signal: AbortSignal.timeout(JOB_MS) });
        expect(await hostile.job(job_id)).toMatchObject({ status: 'failed', failed_stage: 'billing' });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
