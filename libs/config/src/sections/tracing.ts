import { z } from 'zod';
import { decimal, secret, url, variable } from '../variable.js';

export const tracing = {
  endpoint: variable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    url('http:', 'https:').optional(),
    'Base URL of a collector that takes traces by OTLP over HTTP, such as `http://collector:4318`; traces are sent to `/v1/traces` below it ([tracing](operating/tracing.md)). Unset: nothing is traced.',
  ),
  headers: secret(
    'OTEL_EXPORTER_OTLP_HEADERS',
    z
      .string()
      .regex(/^[\w-]+=[^,]+(?:,[\w-]+=[^,]+)*$/, 'must be pairs name=value, comma-separated')
      .optional(),
    'Headers of the requests to the collector, as `name=value`, comma-separated, such as an API key.',
  ),
  serviceName: variable(
    'OTEL_SERVICE_NAME',
    z.string().min(1).default('zephyr'),
    'Name of the service in traces. The program is added: `zephyr-api`, `zephyr-processor`.',
  ),
  sampleRatio: variable(
    'OTEL_TRACES_SAMPLER_ARG',
    decimal(0, 1).default(1),
    'Share of the traces that are recorded, from 0 to 1. A request with a `traceparent` header follows its caller.',
  ),
};
