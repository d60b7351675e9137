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
/** A fifth of the 343 MiB that an hour takes from end to end: the memory of the decoder does not depend on the length. */
const MAX_INCREASE_MIB = 68;

/** Includes runtime, libraries, database and store. */
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
    const peakOf = async (seconds: number): Promise<number> => {
      const jobId = await createTranscribedJob(fixture, seconds);
      const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, fixture.url, folder]);
      const job = await fixture.row('SELECT status FROM job WHERE id = $1', jobId);
      expect(job).toEqual({ status: 'completed' });
      return Number(stdout);
    };
    const [short, long] = [await peakOf(HOUR), await peakOf(10 * HOUR)];
    console.log(
      `Aggregation: ${short.toFixed(0)} MiB for 1 hour, ${long.toFixed(0)} MiB for 10, ${(long / short).toFixed(2)} times.`,
    );
    expect(long - short).toBeLessThanOrEqual(MAX_INCREASE_MIB);
  },
);
