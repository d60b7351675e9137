import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createTranscribedJob } from '../support/transcribed-job.js';
import { createJobWorld } from '../support/job-world.js';

const PROGRAM = fileURLToPath(new URL('programs/aggregate.mjs', import.meta.url));
const HOUR = 3_600;
/** A fifth of the 343 MiB that the whole processing of an hour takes. */
const MAX_INCREASE_MIB = 68;

it(
  'aggregating ten hours of words and speakers needs at most 68 MiB more than one hour',
  { timeout: 300_000 },
  async () => {
    const fixture = await createJobWorld({ credits: 100_000 });
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-aggregation-'));
    onTestFinished(async () => {
      await fixture.close();
      await rm(folder, { recursive: true, force: true });
    });
    const measurePeakMemory = async (seconds: number): Promise<number> => {
      const jobId = await createTranscribedJob(fixture, seconds);
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, fixture.url, folder]);
      const job = await fixture.row('SELECT status FROM job WHERE id = $1', jobId);
      expect(job).toEqual({ status: 'completed' });
      return Number(stdout);
    };
    const [short, long] = [await measurePeakMemory(HOUR), await measurePeakMemory(10 * HOUR)];
    console.log(
      `Aggregation: ${short.toFixed(0)} MiB for 1 hour, ${long.toFixed(0)} MiB for 10, ${(long / short).toFixed(2)} times.`,
    );
    expect(long - short).toBeLessThanOrEqual(MAX_INCREASE_MIB);
  },
);
