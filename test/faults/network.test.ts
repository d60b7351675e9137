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
/** A statement on a connection that was cut without a word fails after 35 s. */
const ANSWERED_MS = 40_000;
const ENDED_MS = 60_000;
const TEST_MS = 180_000;
const READERS = 8;
const ORDERS = 6;

const FAULTS: Record<string, (way: FaultProxy) => void> = {
  delayed: (way) => way.setFault({ delayMs: 200 }),
  cut: (way) => way.setFault('cut'),
  'reset half way': (way) => way.setFault({ resetAfterBytes: 3_000 }),
  'cut without a word': (way) => way.dropTraffic(),
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
    'to $part, $fault: errors are bounded, and everything recovers',
    async ({ part, fault }) => {
      const way = system.dependencies.proxies[part];
      if (way === undefined) throw new Error(`there is no way to ${part}`);
      const word = await synthesizeSpeech('Good morning.');
      const orders: JobRequest[] = Array.from({ length: ORDERS }, (_, at) => ({
        name: `${part} ${fault} ${at}`,
        bytes: at === 0 ? word : silentWav(0.5),
        options: { output_type: 'txt' },
      }));

      FAULTS[fault]?.(way);
      let began = 0;
      const [jobs, answers] = await Promise.all([
        Promise.all(orders.map((order) => submitJobRequest(client, order, observations))),
        Promise.all(Array.from({ length: READERS }, () => timed(client))),
        pause(FAULT_MS).then(() => {
          way.setFault('open');
          return (began = performance.now());
        }),
      ]);
      await system.untilAllEnded(ENDED_MS);
      const healed = (performance.now() - began) / 1_000;
      for (const { status, ms } of answers) {
        expect([200, 503]).toContain(status);
        expect(ms).toBeLessThan(ANSWERED_MS);
      }
      const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1_000;
      console.log(
        `${part}, ${fault}: answers within ${slowest.toFixed(1)} s, all done ${healed.toFixed(1)} s after healing`,
      );
      for (const { job_id } of jobs) expect(await client.job(job_id)).toMatchObject({ status: 'completed' });
    },
    TEST_MS,
  );

  it('and every promise was kept meanwhile', async () => {
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});

async function timed(client: Client): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const { status } = await client.send('GET', '/api/v1/jobs?limit=1');
  return { status, ms: performance.now() - began };
}
