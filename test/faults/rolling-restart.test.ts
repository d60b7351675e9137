import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { expectContiguous, isTerminal } from '../e2e/support/events.js';
import { generateJobRequests, type JobRequest } from '../e2e/support/job-requests.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { until } from '../e2e/support/until.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { recordWebhooks } from './support/observe-jobs.js';
import { ReadyProxy } from './support/ready-proxy.js';
import { seededRandomFor } from './support/seed.js';
import { System } from './support/system.js';

const CALLERS = 4;
const MOST_ORDERS = 2_000;
const ENDED_MS = 60_000;

/** What callers met while programs were restarted. */
interface Met {
  created: number;
  /** Answers of the kind that a client repeats by itself: 503. */
  askedBack: number;
  /** Streams that ended before their job, and were taken up again. */
  resumed: number;
}

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

/** Every step once: none is repeated unless the answer says so, as none but the upload is safe to repeat. */
async function place({ bytes, options }: JobRequest, met: Met): Promise<CreatedJob> {
  const created = await answered<CreatedJob>(met, () =>
    client.post('/upload', { file_size: bytes.length, ...options }),
  );
  met.created += 1;
  const address = created.upload_url.replace(system.baseUrl, proxy.url);
  await answered(met, () => client.put(address, bytes, created.content_type));
  await answered(met, () => client.complete(created.job_id));
  await answered(met, () => client.send('GET', `/api/v1/jobs/${created.job_id}`));
  return created;
}

async function answered<T>(met: Met, ask: () => ReturnType<Client['post']>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return expectStatus<T>(200, answer);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    met.askedBack += 1;
  }
}

/** Follows a job to its end, whichever processes that takes. */
async function follow(jobId: string, met: Met): Promise<void> {
  const events = await client.events(jobId);
  while (!events.some(isTerminal)) {
    met.resumed += 1;
    events.push(...(await client.events(jobId, { lastEventId: events.at(-1)?.id ?? '0' })));
  }
  expectContiguous(events);
}

describe('every program restarted in turn, while callers go on', () => {
  it('fails no request, loses no job, leaves no gap in a stream', async () => {
    const chance = seededRandomFor('rolling-restart');
    const orders = (await generateJobRequests(MOST_ORDERS, chance, receiver.reply('/hook', 200))).values();
    const observations = new ObservationRecorder();
    const met: Met = { created: 0, askedBack: 0, resumed: 0 };
    let restarting = true;
    const callers = Array.from({ length: CALLERS }, async () => {
      for (const order of orders) {
        const { job_id } = await place(order, met);
        observations.recordCreated(order.name, job_id);
        await follow(job_id, met);
        if (!restarting) return;
      }
      throw new Error('there were too few orders');
    });
    const work = Promise.all(callers).finally(() => (restarting = false));
    work.catch(() => undefined);

    await until('callers are at work', () => met.created >= CALLERS);
    for (const program of [...system.apis, ...system.processors]) {
      const before = met.created;
      expect(await program.stop()).toEqual({ code: 0, signal: null });
      await program.startAgain();
      await until('both take requests', () => proxy.readyCount === system.apis.length);
      await until('work went on meanwhile', () => !restarting || met.created > before);
    }
    restarting = false;
    await work;
    console.log(`restarted under load: ${JSON.stringify(met)}`);

    expect(proxy.broken).toEqual([]);
    await system.untilAllEnded(ENDED_MS);
    // Notifications have the time to end before it is asked what was received.
    expect(await system.findInvariantViolations()).toEqual([]);
    recordWebhooks(observations, receiver);
    expect(await system.findInvariantViolations(observations)).toEqual([]);
  });
});
