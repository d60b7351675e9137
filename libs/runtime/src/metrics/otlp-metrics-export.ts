import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonMetricsSerializer, MetricsExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { emptyResource } from '@opentelemetry/resources';
import {
  type CollectionResult,
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { Registry } from 'prom-client';
import { createProgramResource, shutDownProvider } from '../tracing/otlp-provider.js';
import { convertPrometheusToOtelMetrics } from './convert-prometheus-to-otel-metrics.js';

export interface OtlpMetricsExportOptions {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  version: string;
  intervalMs: number;
}

const EXPORT_TIMEOUT_MS = 5_000;
const COMPONENT_TYPE = 'otlp_http_metric_exporter';

/** Sends the metrics of the registry at intervals. @returns sends them once more, and stops */
export function startOtlpMetricsExport(
  registry: Registry,
  { url, headers, serviceName, version, intervalMs }: OtlpMetricsExportOptions,
): () => Promise<void> {
  const provider = new MeterProvider({
    resource: createProgramResource({ serviceName, version }),
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OtlpMetricExporter(url, headers),
        exportIntervalMillis: intervalMs,
        exportTimeoutMillis: Math.min(intervalMs, EXPORT_TIMEOUT_MS),
        metricProducers: [new PrometheusMetricProducer(registry)],
      }),
    ],
  });
  return () => shutDownProvider(provider);
}

class OtlpMetricExporter extends OTLPExporterBase<ResourceMetrics> implements PushMetricExporter {
  constructor(url: string, headers: Record<string, string>) {
    const config = { url, headers, timeoutMillis: EXPORT_TIMEOUT_MS };
    const json = { 'Content-Type': 'application/json' };
    super(
      createOtlpHttpExportDelegate(
        convertLegacyHttpOptions(config, 'METRICS', 'v1/metrics', json),
        JsonMetricsSerializer,
        COMPONENT_TYPE,
        MetricsExporterMetricsHelper,
        undefined,
      ),
    );
  }
}

/** The metrics that `/metrics` has. */
class PrometheusMetricProducer implements MetricProducer {
  private readonly startTime: HrTime = millisToHrTime(Math.round(performance.timeOrigin));

  constructor(private readonly registry: Registry) {}

  async collect(): Promise<CollectionResult> {
    const range = { startTime: this.startTime, endTime: millisToHrTime(Date.now()) };
    const metrics = convertPrometheusToOtelMetrics(await this.registry.getMetricsAsJSON(), range);
    const resourceMetrics = {
      resource: emptyResource(),
      scopeMetrics: [{ scope: { name: 'zephyr' }, metrics }],
    };
    return { resourceMetrics, errors: [] };
  }
}
