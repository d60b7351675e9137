import { z } from 'zod';
import {
  createDecimalSchema,
  createIntegerSchema,
  declareSecretEnvVariable,
  createUrlSchema,
  declareEnvVariable,
} from '../variable.js';

export const openTelemetryEnvVariables = {
  endpoint: declareEnvVariable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    createUrlSchema('http:', 'https:').optional(),
    'Base URL of a collector that takes traces and metrics by OTLP over HTTP, such as `http://collector:4318`; traces are sent to `/v1/traces` below it, metrics to `/v1/metrics` ([tracing](operating/tracing.md)). Unset: nothing is traced.',
  ),
  headers: declareSecretEnvVariable(
    'OTEL_EXPORTER_OTLP_HEADERS',
    z
      .string()
      .regex(/^[\w-]+=[^,]+(?:,\s*[\w-]+=[^,]+)*$/, 'must be pairs name=value, comma-separated')
      .transform(decodeHeaders)
      .optional(),
    'Headers of the requests to the collector, as `name=value`, comma-separated, such as an API key. Values are percent-encoded, as OpenTelemetry specifies: `Authorization=Basic%20…`.',
  ),
  metricsEndpoint: declareEnvVariable(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    createUrlSchema('http:', 'https:').optional(),
    'URL to which metrics are sent by OTLP over HTTP, as it is. Unset: `/v1/metrics` below `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  ),
  metricsExporter: declareEnvVariable(
    'OTEL_METRICS_EXPORTER',
    z.enum(['otlp', 'none']).default('otlp'),
    '`none`: no metrics are sent; `/metrics` has them in any case.',
  ),
  metricsIntervalMs: declareEnvVariable(
    'OTEL_METRIC_EXPORT_INTERVAL',
    createIntegerSchema(100, 3_600_000).default(60_000),
    'Milliseconds between two transmissions of the metrics.',
  ),
  serviceName: declareEnvVariable(
    'OTEL_SERVICE_NAME',
    z.string().min(1).default('zephyr'),
    'Name of the service in traces and metrics. The program is added: `zephyr-api`, `zephyr-processor`.',
  ),
  sampleRatio: declareEnvVariable(
    'OTEL_TRACES_SAMPLER_ARG',
    createDecimalSchema(0, 1).default(1),
    'Share of the traces that are recorded, from 0 to 1. A request with a `traceparent` header follows its caller.',
  ),
};

function decodeHeaders(text: string, context: z.RefinementCtx): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    try {
      headers[name.trim()] = decodeURIComponent(value.trim());
    } catch {
      context.addIssue({ code: 'custom', message: `must have a percent-encoded value of ${name.trim()}` });
    }
  }
  return headers;
}
