import { until } from './until.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** Of OTLP, as far as the tests read it. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** The number of OTLP: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  /** `code` 2 is an error. */
  status: { code?: number };
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
}

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes' | 'links' | 'service'> {
  attributes: OtlpAttribute[];
  links?: ReceivedSpan['links'];
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

export interface ReceivedMetric {
  name: string;
  kind: 'sum' | 'gauge' | 'histogram';
  /** The count of a histogram. */
  points: { attributes: Record<string, unknown>; value: number }[];
}

type OtlpPoints = { dataPoints: { attributes: OtlpAttribute[]; asDouble?: number; count?: number }[] };

interface OtlpMetricsRequest {
  resourceMetrics: {
    resource: { attributes: OtlpAttribute[] };
    scopeMetrics: { metrics: ({ name: string } & Partial<Record<ReceivedMetric['kind'], OtlpPoints>>)[] }[];
  }[];
}

/** A collector of traces and metrics by OTLP over HTTP, in JSON, on loopback. */
export class OtlpCollector {
  private constructor(private readonly receiver: WebhookReceiver) {}

  static async start(): Promise<OtlpCollector> {
    return new OtlpCollector(await WebhookReceiver.start());
  }

  get url(): string {
    return this.receiver.url;
  }

  /** Of one trace, in the order of their arrival. */
  spans(traceId: string): ReceivedSpan[] {
    return this.allSpans().filter((span) => span.traceId === traceId);
  }

  allSpans(): ReceivedSpan[] {
    return this.receiver
      .requestsTo('/v1/traces')
      .flatMap(({ body }) => (JSON.parse(body.toString()) as OtlpRequest).resourceSpans)
      .flatMap(({ resource, scopeSpans }) => {
        const service = String(readAttributes(resource.attributes)['service.name']);
        return scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            ...span,
            service,
            attributes: readAttributes(span.attributes),
            links: (span.links ?? []).map(({ traceId: trace, spanId }) => ({ traceId: trace, spanId })),
          })),
        );
      });
  }

  /** @returns the span of that name, once it has arrived */
  waitForSpan(traceId: string, name: string): Promise<ReceivedSpan> {
    return until(`the collector has the span ${name}`, () =>
      this.spans(traceId).find((span) => span.name === name),
    );
  }

  /** Of any trace. @returns the span of that name which names the job, once it has arrived */
  waitForSpanOfJob(jobId: string, name: string): Promise<ReceivedSpan> {
    return until(`the collector has the span ${name} of ${jobId}`, () =>
      this.allSpans().find((span) => span.name === name && span.attributes['zephyr.job_id'] === jobId),
    );
  }

  headers(): Record<string, unknown>[] {
    return this.receiver.requestsTo('/v1/traces').map(({ headers }) => headers);
  }

  /** Of one service, in the order of their arrival. */
  metrics(service: string): ReceivedMetric[] {
    return this.receiver
      .requestsTo('/v1/metrics')
      .flatMap(({ body }) => (JSON.parse(body.toString()) as OtlpMetricsRequest).resourceMetrics)
      .filter(({ resource }) => readAttributes(resource.attributes)['service.name'] === service)
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      .flatMap((metric) =>
        (['sum', 'gauge', 'histogram'] as const)
          .filter((kind) => metric[kind] !== undefined)
          .map((kind) => ({
            name: metric.name,
            kind,
            points: (metric[kind]?.dataPoints ?? []).map(({ attributes, asDouble, count }) => ({
              attributes: readAttributes(attributes),
              value: asDouble ?? count ?? 0,
            })),
          })),
      );
  }

  metricHeaders(): Record<string, unknown>[] {
    return this.receiver.requestsTo('/v1/metrics').map(({ headers }) => headers);
  }

  close(): Promise<void> {
    return this.receiver.close();
  }
}

function readAttributes(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** @returns the ids of parents that are not among the spans; of a connected trace only that of its first span */
export function findParentsOutside(spans: readonly ReceivedSpan[]): (string | undefined)[] {
  const known = new Set<string | undefined>(spans.map(({ spanId }) => spanId));
  return spans.map(({ parentSpanId }) => parentSpanId).filter((id) => !known.has(id));
}
