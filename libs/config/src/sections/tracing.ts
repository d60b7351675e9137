import { z } from 'zod';
import {
  createDecimalSchema,
  declareSecretEnvVariable,
  createUrlSchema,
  declareEnvVariable,
} from '../variable.js';

export const tracingEnvVariables = {
  endpoint: declareEnvVariable(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    createUrlSchema('http:', 'https:').optional(),
    'Base URL of a collector that takes traces by OTLP over HTTP, such as `http://collector:4318`; traces are sent to `/v1/traces` below it ([tracing](operating/tracing.md)). Unset: nothing is traced.',
  ),
  headers: declareSecretEnvVariable(
    'OTEL_EXPORTER_OTLP_HEADERS',
    z
      .string()
      .regex(/^[\w-]+=[^,]+(?:,[\w-]+=[^,]+)*$/, 'must be pairs name=value, comma-separated')
      .optional(),
    'Headers of the requests to the collector, as `name=value`, comma-separated, such as an API key.',
  ),
  serviceName: declareEnvVariable(
    'OTEL_SERVICE_NAME',
    z.string().min(1).default('zephyr'),
    'Name of the service in traces. The program is added: `zephyr-api`, `zephyr-processor`.',
  ),
  sampleRatio: declareEnvVariable(
    'OTEL_TRACES_SAMPLER_ARG',
    createDecimalSchema(0, 1).default(1),
    'Share of the traces that are recorded, from 0 to 1. A request with a `traceparent` header follows its caller.',
  ),
};
