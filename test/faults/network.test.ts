import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import type { FaultProxy } from '../support/fault-proxy.js';
import { silentWav, synthesizeSpeech } from '../e2e/support/audio.js';
import type { Client } from '../e2e/support/client.js';
import { type JobRequest, submitJobRequest } from '../e2e/support/job-requests.js';
import { startRadosgwIfInstalled } from './support/radosgw-if-installed.js';
import { System } from './support/system.js';

const FAULT_MS = 5_000;
/** A statement on a connection that was cut silently fails after 35 s. */
const RESPONSE_TIMEOUT_MS = 40_000;
const ENDED_MS = 60_000;
const TEST_MS = 180_000;
const READERS = 8;
const JOBS = 6;

const FAULTS: Record<string, (proxy: FaultProxy) => void> = {
  delayed: (proxy) => proxy.setFault({ delayMs: 200 }),
  cut: (proxy) => proxy.setFault('cut'),
  'reset during a transfer': (proxy) => proxy.setFault({ resetAfterBytes: 3_000 }),
  'silently dropped': (proxy) => proxy.dropTraffic(),
};

const s3 = await startRadosgwIfInstalled();
const DEPENDENCIES: ('postgres' | 'redis' | 's3')[] = s3
  ? ['postgres', 'redis', 's3']
  : ['postgres', 'redis'];

describe('the network to a dependency', () => {
  let system: System;
  let client: Client;
  const observations = new ObservationRecorder();

  beforeAll(async () => {
    system = await System.start({ queue: 'redis', ...(s3 && { s3 }) });
    client = await system.client();
  });
  afterAll(async () => {
    await system?.stop();
    await s3?.stop();
  });

  const cases = DEPENDENCIES.flatMap((part) => Object.keys(FAULTS).map((fault) => ({ part, fault })));

  it.each(cases)(
    'responses stay within their time limit and all jobs complete when the network to $part is $fault',
    async ({ part, fault }) => {
      const proxy = system.dependencies.proxies[part];
      if (proxy === undefined) throw new Error(`there is no proxy for ${part}`);
      const speech = await synthesizeSpeech('Good morning.');
      const requests: JobRequest[] = Array.from({ length: JOBS }, (_, at) => ({
        name: `${part} ${fault} ${at}`,
        bytes: at === 0 ? speech : silentWav(0.5),
        options: { output_type: 'txt' },
      }));

      FAULTS[fault]?.(proxy);
      let faultEndedAt = 0;
      const [jobs, responses] = await Promise.all([
        Promise.all(requests.map((request) => submitJobRequest(client, request, observations))),
        Promise.all(Array.from({ length: READERS }, () => measureRequest(client))),
        pause(FAULT_MS).then(() => {
          proxy.setFault('open');
          return (faultEndedAt = performance.now());
        }),
      ]);
      await system.waitUntilAllEnded(ENDED_MS);
      const recoverySeconds = (performance.now() - faultEndedAt) / 1_000;
      for (const { status, ms } of responses) {
        expect([200, 503]).toContain(status);
        expect(ms).toBeLessThan(RESPONSE_TIMEOUT_MS);
      }
      const slowest = Math.max(...responses.map(({ ms }) => ms)) / 1_000;
      console.log(
        `${part}, ${fault}: responses within ${slowest.toFixed(1)} s, all done ${recoverySeconds.toFixed(1)} s after the fault ended`,
      );
      for (const { job_id } of jobs) expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    },
    TEST_MS,
  );

  it('all invariants hold after the faults', async () => {
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});

async function measureRequest(client: Client): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  const { status } = await client.send('GET', '/api/v1/jobs?limit=1');
  return { status, ms: performance.now() - startedAt };
}
