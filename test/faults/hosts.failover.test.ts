import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../e2e/support/client.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { DistributedSystem } from './support/hosts/distributed-system.js';
import { HostNetwork } from './support/hosts/host-network.js';
import { CALLERS, SteadyLoad } from './support/hosts/steady-load.js';
import { recordWebhooks } from './support/observe-jobs.js';

const START_MS = 120_000;
const ENDED_MS = 60_000;
const TEST_MS = 240_000;
/** Created before the failover, and after it. */
const JOBS = 25;
/** How long the primary works without its standby before it disappears, and how long it is missed before the promotion. */
const PARTITION_MS = 4_000;
const DETECTION_MS = 6_000;

const network = await HostNetwork.create();
const skipReason = typeof network === 'string' ? network : null;
if (skipReason !== null) console.log(`Skipped the failover of Postgres: ${skipReason}.`);

describe.skipIf(skipReason !== null)('Postgres with a synchronous standby, on hosts of their own', () => {
  let system: DistributedSystem;
  let client: Client;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    if (typeof network === 'string') return;
    system = await DistributedSystem.start(network, { queue: 'postgres', standby: true });
    receiver = await WebhookReceiver.start(network.callerAddress);
    client = await system.openAccount();
  }, START_MS);
  afterAll(async () => {
    await system?.stop();
    await receiver?.close();
  });

  it(
    'nothing is acknowledged that the standby lacks, and no acknowledged commit is lost when it is promoted under load',
    async () => {
      const observations = new ObservationRecorder();
      const load = await SteadyLoad.start('failover', client, receiver.reply('/hook', 200), observations);
      await load.waitForJobs(JOBS);
      const { pair } = system.dependencies;
      if (pair === undefined) throw new Error('there is no standby');

      // What the primary commits from now on never reaches the standby.
      await system.network.silence(pair.primary, pair.standby);
      const createdBefore = load.created;
      await pause(PARTITION_MS);
      expect(load.created - createdBefore).toBeLessThanOrEqual(CALLERS);
      await system.network.disconnect(pair.primary);
      await pause(DETECTION_MS);
      const failoverMs = await pair.promoteStandby();
      const promotedAt = performance.now();
      await load.waitForJobs(1);
      const firstJobMs = performance.now() - promotedAt;
      await load.waitForJobs(JOBS);
      const report = await load.stop();
      const endedSeconds = await system.records.waitUntilAllEnded(ENDED_MS);
      console.log(
        `promoted after ${failoverMs.toFixed(0)} ms, the first job was created ${(firstJobMs / 1_000).toFixed(1)} s later; ${report}; all ended ${endedSeconds.toFixed(1)} s after the last`,
      );

      // Waits for all deliveries before it reads what the receiver recorded.
      expect(await system.records.findInvariantViolations()).toEqual([]);
      recordWebhooks(observations, receiver);
      expect(await system.records.findInvariantViolations(observations)).toEqual([]);
      const ends = await system.records.queryRows<{ status: string; count: number }>(
        'SELECT status, count(*)::int FROM job GROUP BY status',
      );
      expect(ends).toEqual([{ status: 'completed', count: observations.jobs.length }]);
    },
    TEST_MS,
  );
});
