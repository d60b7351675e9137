import { DataPointType } from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertPrometheusToOtelMetrics } from './convert-prometheus-to-otel-metrics.js';

const RANGE = { startTime: [1, 0], endTime: [2, 0] } satisfies Parameters<
  typeof convertPrometheusToOtelMetrics
>[1];

let registry: Registry;
beforeEach(() => {
  registry = new Registry();
  registry.setDefaultLabels({ program: 'api' });
});

const convert = async () => convertPrometheusToOtelMetrics(await registry.getMetricsAsJSON(), RANGE);

describe('convertPrometheusToOtelMetrics', () => {
  it('makes a monotonic sum of a counter, with its name and all labels', async () => {
    const counter = new Counter({
      name: 'jobs_total',
      help: 'Jobs.',
      labelNames: ['tier'],
      registers: [registry],
    });
    counter.inc({ tier: 'fast' }, 3);
    expect(await convert()).toEqual([
      expect.objectContaining({
        descriptor: expect.objectContaining({ name: 'jobs_total', description: 'Jobs.' }) as unknown,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: [{ ...RANGE, value: 3, attributes: { program: 'api', tier: 'fast' } }],
      }),
    ]);
  });

  it('makes counts of the values between two boundaries of a histogram, for each combination of labels', async () => {
    const histogram = new Histogram({
      name: 'seconds',
      help: 'Seconds.',
      labelNames: ['route'],
      buckets: [0.5, 1, 10],
      registers: [registry],
    });
    for (const value of [0.1, 0.5, 0.7, 5, 50]) histogram.observe({ route: 'a' }, value);
    histogram.observe({ route: 'b' }, 2);
    const [metric] = await convert();
    expect(metric?.dataPoints).toEqual([
      {
        ...RANGE,
        attributes: { program: 'api', route: 'a' },
        value: { buckets: { boundaries: [0.5, 1, 10], counts: [2, 1, 1, 1] }, count: 5, sum: 56.3 },
      },
      {
        ...RANGE,
        attributes: { program: 'api', route: 'b' },
        value: { buckets: { boundaries: [0.5, 1, 10], counts: [0, 0, 1, 0] }, count: 1, sum: 2 },
      },
    ]);
  });

  it('leaves out values that are no number, and metrics without values', async () => {
    const gauge = new Gauge({ name: 'lag', help: 'Lag.', labelNames: ['of'], registers: [registry] });
    gauge.set({ of: 'a' }, Number.NaN);
    gauge.set({ of: 'b' }, 0);
    const empty = new Gauge({ name: 'empty', help: 'None.', labelNames: ['of'], registers: [registry] });
    empty.reset();
    expect(await convert()).toEqual([
      expect.objectContaining({
        dataPointType: DataPointType.GAUGE,
        dataPoints: [{ ...RANGE, value: 0, attributes: { program: 'api', of: 'b' } }],
      }),
    ]);
  });

  it('refuses a summary, which no metric of the service is', async () => {
    registry.registerMetric(new Summary({ name: 'size', help: 'Size.', registers: [] }));
    await expect(convert()).rejects.toThrow('size is a summary, which is not sent by OTLP.');
  });
});
