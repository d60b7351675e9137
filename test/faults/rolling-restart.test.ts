import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../e2e/support/client.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { JobLoad } from './support/job-load.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { ReadyProxy } from './support/ready-proxy.js';
import { System } from './support/system.js';

const ENDED_MS = 60_000;

let system: System;
let receiver: WebhookReceiver;
let proxy: ReadyProxy;
let client: Client;

beforeAll(async () => {
  [receiver, system] = await Promise.all([
    WebhookReceiver.start(),
    System.start({ queue: 'redis', apis: 2, processors: 1 }),
  ]);
  proxy = await ReadyProxy.start(system.apiPorts);
  client = new Client(proxy.url, (await system.client()).apiKey);
});
afterAll(async () => {
  proxy?.close();
  await system?.stop();
  await receiver?.close();
});

describe('a rolling restart of every program under load', () => {
  it('a rolling restart fails no request, loses no job and leaves no gap in a stream', async () => {
    const observations = new ObservationRecorder();
    const load = await JobLoad.start(
      {
        client,
        systemUrl: system.baseUrl,
        proxyUrl: proxy.url,
        seedName: 'rolling-restart',
        callbackUrl: receiver.reply('/hook', 200),
      },
      observations,
    );
    for (const program of [...system.apis, ...system.processors]) {
      expect(await program.stop()).toEqual({ code: 0, signal: null });
      await program.restart();
      await until('both APIs are ready', () => proxy.readyCount === system.apis.length);
      await load.waitForNextJob();
    }
    await load.stop();
    console.log(`restarted under load: ${JSON.stringify(load.report)}`);

    expect(proxy.failedRequests).toEqual([]);
    await system.waitUntilAllEnded(ENDED_MS);
    // Waits for all deliveries before it reads what the receiver recorded.
    expect(await system.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});
