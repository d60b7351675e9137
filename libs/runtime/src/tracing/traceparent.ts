import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/** Form of W3C Trace Context. A later version may append fields; `ff` is no version. */
const TRACEPARENT = /^((?!ff)[\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Headers of a request; `traceparent` also as it is stored with a job. */
export type TraceHeaders = Readonly<Record<string, string | string[] | null | undefined>>;

/** Needs no started exporter: log lines name the trace of a job without one, too. @returns undefined unless it is valid */
export function parseTraceHeaders({ traceparent, tracestate }: TraceHeaders): SpanContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(traceparent) ?? [];
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (!isSpanContextValid(context) || (version === '00' && rest !== undefined)) return undefined;
  if (typeof tracestate === 'string') context.traceState = createTraceState(tracestate);
  return context;
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
