import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../e2e/support/client.js';
import { runProgram } from '../e2e/support/program.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { JobLoad } from './support/job-load.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { buildVersion, findPreviousVersion } from './support/previous-version.js';
import { ReadyProxy } from './support/ready-proxy.js';
import { System } from './support/system.js';

const ENDED_MS = 60_000;
const BUILD_MS = 900_000;
const UPGRADE_MS = 300_000;
/** That the previous version must complete on the new schema. */
const JOBS_ON_NEW_SCHEMA = 10;

const previousVersion = await findPreviousVersion();

interface Plan {
  pending: { name: string }[];
  stop_first: boolean;
}

// Without a git history, as in an unpacked release, there is no previous version.
describe.skipIf(previousVersion === undefined)('an upgrade from the previous version under load', () => {
  let system: System;
  let receiver: WebhookReceiver;
  let proxy: ReadyProxy;
  let client: Client;

  beforeAll(async () => {
    const root = await buildVersion(previousVersion ?? '');
    [receiver, system] = await Promise.all([
      WebhookReceiver.start(),
      System.start({ queue: 'redis', apis: 2, processors: 2, root }),
    ]);
    proxy = await ReadyProxy.start(system.apiPorts);
    client = new Client(proxy.url, (await system.client()).apiKey);
  }, BUILD_MS);
  afterAll(async () => {
    proxy?.close();
    await system?.stop();
    await receiver?.close();
  });

  async function migrate(...options: string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram('admin', ['migrate', '--json', ...options], system.env);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  it(
    'fails no request and loses no job, on the new schema and while programs are replaced',
    async ({ skip }) => {
      const plan = JSON.parse(await migrate('--plan')) as Plan;
      if (plan.stop_first) skip('the programs of the previous version must be stopped first');
      expect(plan.pending).not.toEqual([]);
      const observations = new ObservationRecorder();
      const load = await JobLoad.start(
        {
          client,
          systemUrl: system.baseUrl,
          proxyUrl: proxy.url,
          seedName: 'upgrade',
          callbackUrl: receiver.reply('/hook', 200),
        },
        observations,
      );
      await migrate();
      for (let job = 0; job < JOBS_ON_NEW_SCHEMA; job += 1) await load.waitForNextJob();
      for (const program of system.programs) {
        expect(await program.stop()).toEqual({ code: 0, signal: null });
        await program.upgrade();
        await until('both APIs are ready', () => proxy.readyCount === system.apis.length);
        await load.waitForNextJob();
      }
      await load.stop();
      console.log(`upgraded under load: ${JSON.stringify(load.report)}`);

      expect(proxy.failedRequests).toEqual([]);
      await system.waitUntilAllEnded(ENDED_MS);
      // Waits for all deliveries before it reads what the receiver recorded.
      expect(await system.findInvariantViolations()).toEqual([]);
      recordWebhooks(observations, receiver);
      expect(await system.findInvariantViolations(observations)).toEqual([]);
    },
    UPGRADE_MS,
  );
});
