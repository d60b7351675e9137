import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';

export type PrometheusMetric = MetricObjectWithValues<MetricValue<string> | MetricValueWithName<string>>;

interface TimeRange {
  startTime: HrTime;
  endTime: HrTime;
}

type Histogram = Extract<
  MetricData,
  { dataPointType: DataPointType.HISTOGRAM }
>['dataPoints'][number]['value'];

/**
 * Metrics of prom-client as OpenTelemetry has them, with the same names and labels. Values that are no number are left out, because
 * JSON cannot have them, and metrics without values as well.
 */
export function convertPrometheusToOtelMetrics(
  metrics: readonly PrometheusMetric[],
  range: TimeRange,
): MetricData[] {
  return metrics
    .map((metric) => convertMetric(metric, range))
    .filter(({ dataPoints }) => dataPoints.length > 0);
}

function convertMetric({ name, help, type, values }: PrometheusMetric, range: TimeRange): MetricData {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // prom-client has the types as a const enum at compile time, and as text at run time.
  switch (String(type)) {
    case 'histogram':
      return {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: convertHistogram(name, values, range),
      };
    case 'counter':
      return {
        ...common,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: convertValues(values, range),
      };
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: convertValues(values, range) };
    default:
      throw new TypeError(`${name} is a ${String(type)}, which is not sent by OTLP.`);
  }
}

function convertValues(values: readonly MetricValue<string>[], range: TimeRange): DataPoint<number>[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => ({ ...range, value, attributes: toAttributes(labels) }));
}

/** Each combination of labels has a sample for each bucket, with all smaller values in it, one for the sum and one for the count. */
function convertHistogram(
  name: string,
  values: readonly (MetricValue<string> | MetricValueWithName<string>)[],
  range: TimeRange,
): DataPoint<Histogram>[] {
  const points = new Map<string, { attributes: Attributes; samples: (readonly [string, number])[] }>();
  for (const each of values) {
    const { le, ...labels } = each.labels;
    const attributes = toAttributes(labels);
    const key = JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const point = points.get(key) ?? { attributes, samples: [] };
    const metricName = 'metricName' in each ? (each.metricName ?? name) : name;
    point.samples.push([le === undefined ? metricName.slice(name.length + 1) : String(le), each.value]);
    points.set(key, point);
  }
  return [...points.values()].map(({ attributes, samples }) => ({
    ...range,
    attributes,
    value: toHistogram(new Map(samples)),
  }));
}

function toHistogram(samples: ReadonlyMap<string, number>): Histogram {
  const boundaries = [...samples.keys()]
    .map(Number)
    .filter((bound) => Number.isFinite(bound))
    .toSorted((a, b) => a - b);
  const count = samples.get('count') ?? 0;
  const cumulative = [...boundaries.map((bound) => samples.get(String(bound)) ?? 0), count];
  const counts = cumulative.map((value, index) => value - (cumulative[index - 1] ?? 0));
  return { buckets: { boundaries, counts }, count, sum: samples.get('sum') ?? 0 };
}

function toAttributes(labels: Partial<Record<string, string | number>>): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
