import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from './support/audio.js';
import { type Client, type CreatedJob, expectStatus } from './support/client.js';
import { Service } from './support/service.js';
import { OtlpCollector } from './support/otlp-collector.js';
import { until } from './support/until.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';

let collector: OtlpCollector;
let receiver: WebhookReceiver;
let service: Service;
let client: Client;
let jobId: string;

beforeAll(async () => {
  collector = await OtlpCollector.start();
  receiver = await WebhookReceiver.start();
  service = await Service.start({
    OUTBOUND_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
  });
  client = await service.client();
  const bytes = await synthesizeSpeech('There are ninety tables.');
  const headers = {
    'Content-Type': 'application/json',
    traceparent: `00-${TRACE}-${CALLER_SPAN}-01`,
  };
  const body = JSON.stringify({ file_size: bytes.length, callback_url: receiver.reply('/hook', 200) });
  const created = expectStatus<CreatedJob>(
    200,
    await client.send('POST', '/api/v1/upload', { headers, body }),
  );
  jobId = created.job_id;
  expectStatus(200, await client.put(created.upload_url, bytes, created.content_type));
  expectStatus(200, await client.complete(jobId));
  await until('the webhook has arrived', () => receiver.requestsTo('/hook')[0]);
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await collector?.close();
});

describe('the trace of a job', () => {
  it('continues that of the caller, from the creation over each stage and the engine to the webhook', async () => {
    const create = await collector.waitForSpan(TRACE, 'POST /api/v1/upload');
    expect(create).toMatchObject({ service: 'zephyr-api', parentSpanId: CALLER_SPAN });
    for (const name of ['stage preprocess', /^stage chunk:\d+$/, 'stage aggregation', 'send webhook'])
      expect(await collector.waitForSpan(TRACE, name)).toMatchObject({
        service: 'zephyr-processor',
        parentSpanId: create.spanId,
        links: [{ traceId: TRACE, spanId: create.spanId }],
        attributes: { 'zephyr.job_id': jobId },
      });
    const chunk = await collector.waitForSpan(TRACE, /^stage chunk:\d+$/);
    expect(await collector.waitForSpan(TRACE, 'recognise')).toMatchObject({
      parentSpanId: chunk.spanId,
      attributes: { 'zephyr.engine': 'pocketsphinx' },
    });
  });

  it('is connected: each span but the first has a parent in it', async () => {
    await collector.waitForSpan(TRACE, 'send webhook');
    const spans = collector.spans(TRACE);
    const known = new Set([CALLER_SPAN, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
  });

  it('is named by the log line of the request that creates the job', async () => {
    const lines = (await service.log())
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['trace_id'] === TRACE);
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
      program: 'api',
      path: '/api/v1/upload',
    });
  });

  it('is sent with the headers of the settings', () => {
    expect(collector.headers()[0]).toMatchObject({ 'x-collector-key': 'abc' });
  });
});
