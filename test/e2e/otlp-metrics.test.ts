import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesizeSpeech } from './support/audio.js';
import { Service } from './support/service.js';
import { OtlpCollector } from './support/otlp-collector.js';
import { until } from './support/until.js';

const INTERVAL = { OTEL_METRIC_EXPORT_INTERVAL: '200' };

let collector: OtlpCollector;
let service: Service;

beforeAll(async () => {
  collector = await OtlpCollector.start();
  service = await Service.start({
    ...INTERVAL,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
  });
  const client = await service.client();
  const { job_id: jobId } = await client.submit(await synthesizeSpeech('There are ninety tables.'));
  expect((await client.events(jobId)).at(-1)).toMatchObject({ name: 'completed' });
});
afterAll(async () => {
  await service?.stop();
  await collector?.close();
});

describe('metrics by OTLP', () => {
  it('are those of /metrics, of both programs, with the same names, labels and kinds', async () => {
    const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
    const scraped = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => ({
      name,
      kind,
    }));
    const kinds = { counter: 'sum', gauge: 'gauge', histogram: 'histogram' } as Record<string, string>;
    const withSamples = scraped.filter(({ name }) => new RegExp(`^${name}(_count)?[{ ]`, 'm').test(text));
    expect(withSamples.length).toBeGreaterThan(30);
    await until('all metrics of the API have arrived', () => {
      const received = new Map(collector.metrics('zephyr-api').map(({ name, kind }) => [name, kind]));
      return withSamples.every(({ name, kind }) => received.get(name) === kinds[kind]);
    });
    const requests = collector.metrics('zephyr-api').findLast(({ name }) => name === 'zephyr_build_info');
    expect(requests?.points[0]).toMatchObject({
      attributes: { program: 'api', node: process.versions.node },
    });
  });

  it('count what a processor has done', async () => {
    await until('the recording is counted', () =>
      collector
        .metrics('zephyr-processor')
        .filter(({ name }) => name === 'zephyr_jobs_ended_total')
        .some(({ points }) => points.some(({ value }) => value > 0)),
    );
  });

  it('are sent with the headers of the settings', () => {
    expect(collector.metricHeaders()[0]).toMatchObject({ 'x-collector-key': 'abc' });
  });
});

describe('without metrics by OTLP', () => {
  it('traces are sent alone, if OTEL_METRICS_EXPORTER is none', async () => {
    const tracesOnly = await OtlpCollector.start();
    const other = await Service.start({
      ...INTERVAL,
      OTEL_EXPORTER_OTLP_ENDPOINT: tracesOnly.url,
      OTEL_METRICS_EXPORTER: 'none',
    });
    try {
      await (await other.client()).send('GET', '/api/v1/account');
    } finally {
      // What is left is sent when a program ends.
      await other.stop();
    }
    expect(tracesOnly.headers().length).toBeGreaterThan(0);
    expect(tracesOnly.metricHeaders()).toEqual([]);
    await tracesOnly.close();
  });
});

describe('an address for metrics alone', () => {
  it('gets metrics, as it is, and nothing is traced', async () => {
    const metricsOnly = await OtlpCollector.start();
    const other = await Service.start({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${metricsOnly.url}/v1/metrics`,
    });
    // With the usual interval of a minute the metrics are those that are sent at the end.
    await other.stop();
    expect(metricsOnly.metrics('zephyr-api').length).toBeGreaterThan(0);
    expect(metricsOnly.metrics('zephyr-processor').length).toBeGreaterThan(0);
    expect(metricsOnly.headers()).toEqual([]);
    await metricsOnly.close();
  });
});
