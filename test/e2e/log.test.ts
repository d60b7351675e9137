import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findJsonLines, type JsonLine } from '../support/json-lines.js';
import { synthesizeSpeech } from './support/audio.js';
import { type Client, type CreatedJob, expectStatus } from './support/client.js';
import { WebhookReceiver } from './support/webhook-receiver.js';
import { Service } from './support/service.js';
import { until } from './support/until.js';
import { waitForLogLine } from './support/wait-for-log-line.js';

let receiver: WebhookReceiver;
let service: Service;
let client: Client;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  service = await Service.start({
    ...inject('engineSettings'),
    OUTBOUND_ALLOW: '127.0.0.1',
    WEBHOOK_BACKOFF_SECONDS: '0,0,0',
  });
  client = await service.client();
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
});

const findLines = async (fields: JsonLine) => findJsonLines(await service.log(), fields);
const waitForLine = (fields: JsonLine) => waitForLogLine(() => service.log(), fields);

/** Creates a job under a request id that the caller chose. */
async function create(requestId: string, body: JsonLine): Promise<CreatedJob> {
  const headers = { 'Content-Type': 'application/json', 'X-Request-Id': requestId };
  return expectStatus<CreatedJob>(
    200,
    await client.send('POST', '/api/v1/upload', { headers, body: JSON.stringify(body) }),
  );
}

async function submit(
  requestId: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: JsonLine = {},
): Promise<string> {
  const created = await create(requestId, { file_size: bytes.length, ...options });
  expectStatus(200, await client.put(created.upload_url, bytes, created.content_type));
  expectStatus(200, await client.complete(created.job_id));
  return created.job_id;
}

describe('the log', () => {
  it('has one line per request with its job, and one for the end of a job with the id of the creating request', async () => {
    const request_id = 'request-of-a-job-that-completes';
    const job_id = await submit(request_id, await synthesizeSpeech('Good morning.'));
    const ended = await waitForLine({ msg: 'job ended', job_id });
    const { account_id, audio_seconds, queued_seconds, total_seconds } = ended;
    expect(ended).toMatchObject({ program: 'processor', level: 30, request_id, outcome: 'completed' });
    expect(audio_seconds).toBeGreaterThan(0.3);
    expect(queued_seconds).toBeGreaterThan(0);
    expect(total_seconds).toBeGreaterThanOrEqual(queued_seconds as number);
    expect(await findLines({ msg: 'request', job_id })).toMatchObject([
      { path: '/api/v1/upload', request_id, account_id, status: 200 },
      { method: 'PUT', status: 200 },
      { path: '/api/v1/upload/complete', account_id, status: 200 },
    ]);
    expect(await findLines({ msg: 'job ended', job_id })).toHaveLength(1);
  });

  it.each([
    ['DELETE', 405],
    ['OPTIONS', 204],
  ])('has a line for a request with the method %s, which the path does not have', async (method, status) => {
    const request_id = `request-with-the-method-${method}`;
    const headers = { 'X-Request-Id': request_id };
    expect((await client.send(method, '/api/v1/upload', { headers })).status).toBe(status);
    expect(await waitForLine({ msg: 'request', request_id })).toMatchObject({ method, status });
  });

  it('reports the stage, the reason and the cause of a failed job', async () => {
    const request_id = 'request-of-a-job-that-fails';
    const job_id = await submit(request_id, new TextEncoder().encode('no sound at all '.repeat(100)));
    const ended = await waitForLine({ msg: 'job ended', job_id });
    const { failed_stage, reason } = await client.job(job_id);
    expect(ended).toMatchObject({ outcome: 'failed', failed_stage, reason, request_id });
    expect(failed_stage).toBe('preprocess');
    expect(await waitForLine({ msg: 'stage failed', job_id })).toMatchObject({
      stage: 'preprocess',
      attempt: 1,
      kind: 'unrecoverable',
      request_id,
      error: { message: reason, stack: expect.any(String) as string },
    });
  });

  it('reports a cancelled job', async () => {
    const request_id = 'request-of-a-job-that-is-cancelled';
    const { job_id } = await create(request_id, { file_size: 10 });
    expectStatus(200, await client.post('/jobs/cancel', { job_id }));
    const ended = await waitForLine({ msg: 'job ended', job_id });
    expect(ended).toMatchObject({ program: 'api', outcome: 'cancelled', queued_seconds: null });
  });

  it('reports a refused address with the setting that permits it, which the caller does not read', async () => {
    const answer = await client.post('/upload', {
      file_size: 10,
      callback_url: 'http://10.20.30.40/hook?token=hunter2',
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('is not reachable from the service');
    expect(answer.text).not.toContain('OUTBOUND_ALLOW');
    expect(await waitForLine({ host: '10.20.30.40' })).toMatchObject({
      level: 40,
      setting: 'OUTBOUND_ALLOW',
      msg: 'an address was refused, because it is not public',
    });
  });

  it('reports a webhook that failed permanently and only the host of its URL', async () => {
    const request_id = 'request-with-a-webhook';
    const callback_url = `${receiver.reply('/hook?token=hunter2', 404)}`;
    const { job_id } = await create(request_id, { file_size: 10, callback_url });
    expectStatus(200, await client.post('/jobs/cancel', { job_id }));
    const failed = await waitForLine({ msg: 'webhook failed for good', job_id });
    expect(failed).toMatchObject({
      level: 40,
      delivery_id: expect.any(String) as string,
      account_id: expect.any(String) as string,
      request_id,
      attempts: 1,
      status: 404,
      receiver: new URL(receiver.url).host,
    });
    expect(await service.log()).not.toContain('hunter2');
  });

  it('has no line for a health check or a metrics scrape', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await client.send('GET', path)).status).toBe(200);
    await client.send('GET', '/api/v1/jobs?limit=7');
    const paths = await until('the last request was logged', async () => {
      const logged = (await findLines({ msg: 'request' })).map(({ path }) => String(path));
      return logged.includes('/api/v1/jobs') && logged;
    });
    expect(paths.filter((path) => /health|metrics/.test(path))).toEqual([]);
  });

  it('names the trace of the caller in every line about its job, although no spans are exported', async () => {
    const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = {
      'Content-Type': 'application/json',
      traceparent: `00-${trace_id}-00f067aa0ba902b7-01`,
    };
    const noSound = new TextEncoder().encode('no sound at all '.repeat(100));
    const callback_url = receiver.reply('/traced', 404);
    const body = JSON.stringify({ file_size: noSound.length, callback_url });
    const created = expectStatus<CreatedJob>(
      200,
      await client.send('POST', '/api/v1/upload', { headers, body }),
    );
    const { job_id } = created;
    expectStatus(200, await client.put(created.upload_url, noSound, created.content_type));
    expectStatus(200, await client.complete(job_id));
    await waitForLine({ msg: 'webhook failed for good', job_id });
    const lines = await findLines({ job_id });
    expect(lines.map(({ msg }) => String(msg)).toSorted()).toEqual([
      'job ended',
      'request',
      'request',
      'request',
      'stage failed',
      'webhook failed for good',
    ]);
    for (const line of lines) {
      expect(line).toMatchObject({ trace_id });
      // The span of the caller is none of this program.
      expect(line).not.toHaveProperty('span_id');
    }
  });

  it('has no line with a duplicate field', async () => {
    const lines = (await service.log()).split('\n').filter((text) => text.startsWith('{'));
    for (const text of lines)
      for (const name of ['request_id', 'job_id', 'account_id', 'trace_id'])
        expect(text.split(`"${name}":`).length, text).toBeLessThanOrEqual(2);
  });
});
