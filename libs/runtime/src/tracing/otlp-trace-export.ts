import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { createProgramResource, shutDownProvider } from './otlp-provider.js';

export interface OtlpTraceExportOptions {
  url: string;
  headers: Record<string, string>;
  serviceName: string;
  version: string;
  /** From 0 to 1. */
  sampleRatio: number;
}

const EXPORT_TIMEOUT_MS = 5_000;
const EXPORT_INTERVAL_MS = 1_000;

/** Registers the tracer of this process. Spans that cannot be sent are dropped. @returns sends what is left, and stops */
export function startOtlpTraceExport(options: OtlpTraceExportOptions): () => Promise<void> {
  const { url, headers, serviceName, version, sampleRatio } = options;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new BasicTracerProvider({
    resource: createProgramResource({ serviceName, version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: EXPORT_INTERVAL_MS })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return () => shutDownProvider(provider);
}
