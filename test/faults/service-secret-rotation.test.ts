import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { Client, type CreatedJob, expectStatus } from '../e2e/support/client.js';
import { runProgram } from '../e2e/support/program.js';
import { WebhookReceiver } from '../e2e/support/webhook-receiver.js';
import { expectProblem } from '../e2e/support/problem.js';
import { until } from '../e2e/support/until.js';
import { ReadyProxy } from './support/ready-proxy.js';
import { System } from './support/system.js';

const [EARLIER, LATER] = ['the earlier service secret, 32 or more', 'the later service secret, 32 or more'];
const CALLERS = 2;
/** The test restarts nine programs in sequence. */
const TEST_MS = 400_000;

let system: System;
let receiver: WebhookReceiver;
let proxy: ReadyProxy;
let client: Client;

beforeAll(async () => {
  [receiver, system] = await Promise.all([
    WebhookReceiver.start(),
    System.start({ queue: 'postgres', apis: 2, processors: 1, env: { SERVICE_SECRET: EARLIER } }),
  ]);
  proxy = await ReadyProxy.start(system.apiPorts);
  client = new Client(proxy.url, (await system.client()).apiKey);
});
afterAll(async () => {
  proxy?.close();
  await system?.stop();
  await receiver?.close();
});

const audio = silentWav(0.3);
/** Escapes a secret for a comma-separated list. */
const escapeListItem = (secret: string) => secret.replaceAll(',', '\\,');
const toProxyUrl = (url: string) => url.replace(system.baseUrl, proxy.url);
const buildCreateRequest = () => ({ file_size: audio.length, callback_url: `${receiver.url}/hook` });
const downloadThroughProxy = (url: string) => client.download(toProxyUrl(url));

/** Retries while the response is the 503 of an API that is stopping. */
async function retryUntilAvailable(send: () => ReturnType<Client['post']>): ReturnType<Client['post']> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
    expect(response.headers.get('retry-after')).not.toBeNull();
  }
}

/** Uploads, completes, waits for the end, and downloads from both URLs. @returns the response of the create */
async function runJob(): Promise<CreatedJob> {
  const created = expectStatus<CreatedJob>(
    200,
    await retryUntilAvailable(() => client.post('/upload', buildCreateRequest())),
  );
  await finish(created);
  return created;
}

async function finish(created: CreatedJob): Promise<void> {
  const { job_id, upload_url, content_type, download_url } = created;
  expectStatus(200, await retryUntilAvailable(() => client.put(toProxyUrl(upload_url), audio, content_type)));
  expectStatus(200, await retryUntilAvailable(() => client.complete(job_id)));
  const fresh = await until('the job has completed', async () => {
    const job = expectStatus<{ download_url: string | null }>(
      200,
      await retryUntilAvailable(() => client.send('GET', `/api/v1/jobs/${job_id}`)),
    );
    return job.download_url ?? undefined;
  });
  for (const url of [download_url, fresh])
    expect((await retryUntilAvailable(() => downloadThroughProxy(url))).status).toBe(200);
}

describe('a rotation of the service secret by rolling restarts of two APIs and a processor', () => {
  it(
    'a rotation of the service secret rejects no request, keeps every API key, and invalidates earlier signed URLs',
    async () => {
      const { signing_secret } = await system.adminJson<{ signing_secret: string }>(
        ...['webhooks', 'secret', 'reveal', '--json'],
      );
      const unused = await system.openAccount(5);
      const firstJob = await runJob();
      const pending = [
        expectStatus<CreatedJob>(200, await client.post('/upload', buildCreateRequest())),
        await client.create(buildCreateRequest()),
      ];

      const load = { isRunning: true, done: 0 };
      const callers = Array.from({ length: CALLERS }, async () => {
        for (; load.isRunning; load.done += 1) await runJob();
      });
      const work = Promise.all(callers).finally(() => (load.isRunning = false));
      work.catch(() => undefined);
      const expectLoadContinues = async () => {
        await until('both APIs are ready', () => proxy.readyCount === system.apis.length);
        const before = load.done;
        await until('more jobs have completed', () => !load.isRunning || load.done >= before + CALLERS);
      };

      await system.rollingRestart({ SERVICE_SECRET_FALLBACKS: escapeListItem(LATER) }, expectLoadContinues);
      await system.rollingRestart(
        { SERVICE_SECRET: LATER, SERVICE_SECRET_FALLBACKS: escapeListItem(EARLIER) },
        expectLoadContinues,
      );
      const rotated = await system.adminJson('secrets', 'rotate', '--json');
      expect(rotated).toMatchObject({ left: 0, service_secret: 'changed' });
      expect((await downloadThroughProxy(firstJob.download_url)).status).toBe(200);
      await finish(pending[0] ?? expect.unreachable('a pending upload'));

      await system.rollingRestart({ SERVICE_SECRET_FALLBACKS: '' }, expectLoadContinues);
      load.isRunning = false;
      await work;
      console.log(`jobs while the secret was rotated: ${load.done}`);
      expect(proxy.failedRequests).toEqual([]);

      expectProblem(await downloadThroughProxy(firstJob.download_url), 403, 'signature_mismatch');
      const { upload_url, content_type } = pending[1] ?? expect.unreachable('a pending upload');
      expectProblem(await client.put(toProxyUrl(upload_url), audio, content_type), 403, 'signature_mismatch');
      expect(
        (await downloadThroughProxy((await client.job(firstJob.job_id)).download_url ?? '')).status,
      ).toBe(200);
      const other = new Client(proxy.url, unused.api_key);
      expect((await other.send('GET', '/api/v1/jobs')).status).toBe(200);

      await until('every webhook has arrived', () => receiver.received.length >= load.done + 2);
      for (const { body, headers } of receiver.received)
        expect(headers['x-svc-signature']).toBe(
          `sha256=${createHmac('sha256', signing_secret).update(body).digest('hex')}`,
        );

      const earlierSettings = { ...system.env, SERVICE_SECRET: EARLIER };
      const outcome = await runProgram('admin', ['accounts', 'list'], earlierSettings);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/SERVICE_SECRET is not the one .*SERVICE_SECRET_FALLBACKS/);
    },
    TEST_MS,
  );
});
