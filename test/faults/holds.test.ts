import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { retryUntilFinalResponse, submitConcurrently } from '../e2e/support/job-requests.js';
import { System } from './support/system.js';

const CREDITS = 10;
const JOBS = 200;
const ENDED_MS = 240_000;

// A slow machine took 117 s.
vi.setConfig({ testTimeout: 300_000 });

describe(`${JOBS} concurrent jobs of one credit each on a balance of ${CREDITS}`, () => {
  let system: System;
  let client: Client;

  beforeAll(async () => {
    system = await System.start({ queue: 'redis', env: { PREPROCESS_CONCURRENCY: '8' } });
    client = await system.client((await system.openAccount(CREDITS)).api_key);
  });
  afterAll(() => system?.stop());

  it(`exactly ${CREDITS} jobs get their credits; the others fail at billing and cost nothing`, async () => {
    const uploaded: string[] = [];
    await submitConcurrently(Array.from({ length: JOBS }), 16, async () => {
      uploaded.push((await client.upload(silentWav(0.5))).job_id);
    });
    // Every job could be created, because no job has a hold yet.
    await Promise.all(
      uploaded.map((jobId) => retryUntilFinalResponse(`${jobId} is completed`, () => client.complete(jobId))),
    );
    const seconds = await system.waitUntilAllEnded(ENDED_MS);
    const ends = await system.queryRows<{ count: number }>(
      `SELECT COALESCE(failed_stage, status) AS end, count(*)::int AS count FROM job GROUP BY 1 ORDER BY 2`,
    );
    expect(ends).toEqual([
      { end: 'completed', count: CREDITS },
      { end: 'billing', count: JOBS - CREDITS },
    ]);
    const [account] = await system.queryRows(
      `SELECT balance::int, (SELECT count(*)::int FROM credit_entry WHERE kind = 'hold' AND account_id = account.id) AS holds
       FROM account WHERE id IN (SELECT account_id FROM job)`,
    );
    expect(account).toEqual({ balance: 0, holds: CREDITS });
    console.log(`${JOBS} jobs against ${CREDITS} credits ended in ${seconds.toFixed(0)} s`);
    expect(await system.findInvariantViolations()).toEqual([]);
  });
});
