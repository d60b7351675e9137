import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findJsonLines } from '../support/json-lines.js';
import { silentWav, synthesizeSpeech } from './support/audio.js';
import { type Client, type CreatedJob, expectStatus } from './support/client.js';
import { expectConcurrencyInUse } from './support/concurrency-limits.js';
import { abortMultipart, completeMultipart, createMultipart, putParts } from './support/multipart.js';
import { Service } from './support/service.js';
import { findParentsOutside, OtlpCollector } from './support/otlp-collector.js';
import { startSlowPut } from './support/slow-put.js';
import { until } from './support/until.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const OTHER_TRACE = '0af7651916cd43dd8448eb211c80319c';
const STAGES = ['stage preprocess', 'stage chunk', 'stage aggregation'];
const ERROR_STATUS = 2;

let collector: OtlpCollector;
let receiver: WebhookReceiver;
let service: Service;
let client: Client;
let speech: Awaited<ReturnType<typeof synthesizeSpeech>>;

beforeAll(async () => {
  collector = await OtlpCollector.start();
  receiver = await WebhookReceiver.start();
  service = await Service.start({
    OUTBOUND_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
    WEBHOOK_BACKOFF_SECONDS: '0,0,0',
  });
  client = await service.client();
  speech = await synthesizeSpeech('There are ninety tables.');
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await collector?.close();
});

const postInTrace = (trace: string, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json', traceparent: `00-${trace}-${CALLER_SPAN}-01` };
  return client.send('POST', `/api/v1${path}`, { headers, body: JSON.stringify(body) });
};
const waitForWebhook = (path: string) =>
  until(`a webhook has arrived at ${path}`, () => receiver.requestsTo(path)[0]);

/** Waits until the trace has spans of all these names. @returns all its spans */
const waitForTrace = (traceId: string, names: string[]) =>
  until(`the trace has ${names.join(', ')}`, () => {
    const spans = collector.spans(traceId);
    const found = new Set(spans.map(({ name }) => name));
    return names.every((name) => found.has(name)) && spans;
  });

/** Waits for the spans. Each but the first has a parent among them. */
async function expectConnectedTrace(traceId: string, names: string[], root?: string): Promise<void> {
  expect(findParentsOutside(await waitForTrace(traceId, names))).toEqual([root]);
}

const readLinesOfJob = async (jobId: string) => findJsonLines(await service.log(), { job_id: jobId });

describe('the trace of a job whose creation names a trace', () => {
  let jobId: string;

  beforeAll(async () => {
    const body = { file_size: speech.length, callback_url: receiver.reply('/named', 200) };
    const created = expectStatus<CreatedJob>(200, await postInTrace(TRACE, '/upload', body));
    jobId = created.job_id;
    expectStatus(200, await client.put(created.upload_url, speech, created.content_type));
    expectStatus(200, await client.complete(jobId));
    await waitForWebhook('/named');
  });

  it('continues that of the caller, from the creation over each stage and the engine to the webhook', async () => {
    const create = await collector.waitForSpan(TRACE, 'POST /api/v1/upload');
    expect(create).toMatchObject({
      service: 'zephyr-api',
      parentSpanId: CALLER_SPAN,
      attributes: { 'zephyr.job_id': jobId },
    });
    for (const name of ['stage preprocess', 'stage chunk', 'send webhook'])
      expect(await collector.waitForSpan(TRACE, name)).toMatchObject({
        service: 'zephyr-processor',
        parentSpanId: create.spanId,
        links: [{ traceId: TRACE, spanId: create.spanId }],
        attributes: { 'zephyr.job_id': jobId },
      });
    const chunk = await collector.waitForSpan(TRACE, 'stage chunk');
    expect(chunk.attributes).toMatchObject({ 'zephyr.stage': 'chunk:0', 'zephyr.outcome': 'committed' });
    expect(await collector.waitForSpan(TRACE, 'recognise')).toMatchObject({
      parentSpanId: chunk.spanId,
      attributes: { 'zephyr.engine': 'pocketsphinx' },
    });
    // A recording of one chunk is assembled by the worker of the chunk.
    const aggregation = await collector.waitForSpan(TRACE, 'stage aggregation');
    expect(aggregation.parentSpanId).toBe(chunk.spanId);
    expect(await collector.waitForSpan(TRACE, 'send webhook')).toMatchObject({
      kind: 3,
      attributes: { 'http.request.method': 'POST', 'server.address': '127.0.0.1' },
    });
  });

  it('has the upload, although its requests name no trace', async () => {
    const spans = await waitForTrace(TRACE, ['PUT /objects/*', 'POST /api/v1/upload/complete']);
    const create = spans.find(({ name }) => name === 'POST /api/v1/upload');
    expect(await collector.waitForSpan(TRACE, 'upload')).toMatchObject({
      service: 'zephyr-api',
      parentSpanId: create?.spanId,
      attributes: { 'zephyr.job_id': jobId, 'zephyr.upload_bytes': speech.length },
    });
    for (const name of ['PUT /objects/*', 'POST /api/v1/upload/complete'])
      expect(spans.find((span) => span.name === name)).toMatchObject({
        parentSpanId: create?.spanId,
        attributes: { 'zephyr.job_id': jobId, 'http.response.status_code': 200 },
      });
  });

  it('is connected: each span but the first has a parent in it', async () => {
    await expectConnectedTrace(TRACE, [...STAGES, 'send webhook'], CALLER_SPAN);
  });

  it('is named by every log line about the job, of both programs', async () => {
    await waitForTrace(TRACE, ['send webhook']);
    const lines = await readLinesOfJob(jobId);
    expect(lines.filter(({ trace_id: id }) => id !== TRACE)).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ program: 'api', msg: 'request', path: '/api/v1/upload' }),
        expect.objectContaining({ program: 'api', msg: 'request', method: 'PUT' }),
        expect.objectContaining({ program: 'api', msg: 'request', path: '/api/v1/upload/complete' }),
        expect.objectContaining({
          program: 'processor',
          msg: 'job ended',
          span_id: expect.any(String) as string,
        }),
      ]),
    );
  });

  it('is sent with the headers of the settings', () => {
    expect(collector.headers()[0]).toMatchObject({ 'x-collector-key': 'abc' });
  });
});

describe('the trace of a job whose caller names none', () => {
  it('has the requests of a single upload', async () => {
    const created = await client.create({
      file_size: speech.length,
      callback_url: receiver.reply('/single', 200),
    });
    expectStatus(200, await client.progress(created.job_id));
    expectStatus(200, await client.put(created.upload_url, speech, created.content_type));
    expectStatus(200, await client.complete(created.job_id));
    await waitForWebhook('/single');
    const { traceId } = await collector.waitForSpanOfJob(created.job_id, 'send webhook');
    const requests = ['', '/progress', '/complete'].map((path) => `POST /api/v1/upload${path}`);
    await expectConnectedTrace(traceId, [...requests, 'PUT /objects/*', ...STAGES, 'recognise']);
  });

  it('has the requests of a multipart upload', async () => {
    const { job_id: jobId, ...upload } = await createMultipart(client, { file_size: speech.length });
    const parts = await putParts(client, { job_id: jobId, ...upload }, speech);
    expectStatus(200, await completeMultipart(client, jobId, parts));
    const { traceId } = await collector.waitForSpanOfJob(jobId, 'stage preprocess');
    const requests = ['create', 'complete'].map((path) => `POST /api/v1/upload/multipart/${path}`);
    await expectConnectedTrace(traceId, [...requests, 'PUT /objects/*', 'upload', ...STAGES]);
  });

  it('has an abort and a cancellation', async () => {
    const { job_id: aborted } = await createMultipart(client, { file_size: 10 });
    expectStatus(200, await abortMultipart(client, aborted));
    const { job_id: cancelled } = await client.create({ file_size: 10 });
    expectStatus(200, await client.post('/jobs/cancel', { job_id: cancelled }));
    for (const [jobId, create, end] of [
      [aborted, 'POST /api/v1/upload/multipart/create', 'POST /api/v1/upload/multipart/abort'],
      [cancelled, 'POST /api/v1/upload', 'POST /api/v1/jobs/cancel'],
    ] as const) {
      const { traceId, spanId } = await collector.waitForSpanOfJob(jobId, create);
      expect(await collector.waitForSpan(traceId, end)).toMatchObject({ parentSpanId: spanId });
    }
  });

  it('has the stages of a job that is created with its audio in one request', async () => {
    const answer = await client.send('POST', '/api/v1/transcribe', {
      headers: { 'Content-Type': 'audio/wav' },
      body: speech,
    });
    expect(answer.status).toBe(200);
    const jobId = String(/"job_id":\s*"([^"]+)"/.exec(answer.text)?.[1]);
    const { traceId } = await collector.waitForSpanOfJob(jobId, 'stage chunk');
    await expectConnectedTrace(traceId, ['POST /api/v1/transcribe', ...STAGES]);
  });

  it('has the fetch of an audio URL', async () => {
    const audio_url = receiver.serve('/speech.wav', speech);
    const { job_id: jobId } = await client.create({ audio_url });
    const { traceId } = await collector.waitForSpanOfJob(jobId, 'stage fetch');
    await expectConnectedTrace(traceId, ['POST /api/v1/upload', ...STAGES]);
  });

  it('has the failure of a stage and of its webhook, with the kind of error', async () => {
    const noSound = new TextEncoder().encode('no sound at all '.repeat(100));
    const callback_url = receiver.reply('/refused', 404);
    const { job_id: jobId } = await client.submit(noSound, { callback_url });
    const webhook = await collector.waitForSpanOfJob(jobId, 'send webhook');
    expect(webhook).toMatchObject({
      attributes: { 'http.response.status_code': 404, 'error.type': '404' },
      status: { code: ERROR_STATUS },
    });
    const stage = await collector.waitForSpan(webhook.traceId, 'stage preprocess');
    expect(stage).toMatchObject({
      attributes: { 'zephyr.outcome': 'failed', 'error.type': 'UnrecoverableStageError' },
      status: { code: ERROR_STATUS },
    });
    const lines = await readLinesOfJob(jobId);
    for (const [msg, span_id] of [
      ['stage failed', stage.spanId],
      ['job ended', stage.spanId],
      ['webhook failed for good', webhook.spanId],
    ])
      expect(lines.find((line) => line['msg'] === msg)).toMatchObject({
        program: 'processor',
        trace_id: webhook.traceId,
        span_id,
      });
  });
});

describe('a request about a job', () => {
  it('stays in the trace that it names itself, and links to that of the job', async () => {
    const created = await client.create({ file_size: speech.length });
    expectStatus(200, await client.put(created.upload_url, speech, created.content_type));
    expectStatus(200, await postInTrace(OTHER_TRACE, '/upload/complete', { job_id: created.job_id }));
    const { traceId, spanId } = await collector.waitForSpanOfJob(created.job_id, 'POST /api/v1/upload');
    expect(await collector.waitForSpan(OTHER_TRACE, 'POST /api/v1/upload/complete')).toMatchObject({
      parentSpanId: CALLER_SPAN,
      links: [{ traceId, spanId }],
    });
    const line = (await readLinesOfJob(created.job_id)).find(
      ({ path }) => path === '/api/v1/upload/complete',
    );
    expect(line).toMatchObject({ trace_id: OTHER_TRACE, job_trace_id: traceId });
  });

  it('has a trace of its own that links to that of the job if it only reads', async () => {
    const { job_id: jobId, download_url: url } = await client.create({ file_size: 10 });
    const { traceId, spanId } = await collector.waitForSpanOfJob(jobId, 'POST /api/v1/upload');
    await client.job(jobId);
    await client.download(url);
    for (const name of ['GET /api/v1/jobs/:job_id', 'GET /transcripts/:job_id']) {
      const read = await collector.waitForSpanOfJob(jobId, name);
      expect(read.links).toEqual([{ traceId, spanId }]);
      expect(read.traceId).not.toBe(traceId);
      expect(read.parentSpanId ?? '').toBe('');
    }
    expect((await readLinesOfJob(jobId)).find(({ method }) => method === 'GET')).toMatchObject({
      job_trace_id: traceId,
    });
  });

  it('has a span even if its caller goes away', async () => {
    const created = await client.create({ file_size: 1_000_000 });
    const { job_id: jobId, upload_url: url, content_type: contentType } = created;
    const { traceId } = await collector.waitForSpanOfJob(jobId, 'POST /api/v1/upload');
    const upload = startSlowPut(url, contentType, 1_000_000);
    await upload.send(silentWav(1));
    await expectConcurrencyInUse(client, 'bodies', 1);
    upload.disconnect();
    const put = await collector.waitForSpan(traceId, 'PUT /objects/*');
    expect(put.attributes['error.type']).toBe('client_disconnected');
    expect(put.attributes).not.toHaveProperty('http.response.status_code');
  });
});
