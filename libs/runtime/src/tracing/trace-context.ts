import {
  context,
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { withLogFields } from '../log/log-fields.js';
import { getCurrentRequestSpan } from './request-span.js';
import { formatTraceparent, parseTraceHeaders } from './traceparent.js';

/** Without a started exporter every span is a no-op, and there is no current context. */
const tracer = trace.getTracer('zephyr');

/** Undefined if nothing is traced, and no caller has named a trace. */
function getCurrentSpanContext(): ReturnType<Span['spanContext']> | undefined {
  const span = trace.getActiveSpan() ?? getCurrentRequestSpan()?.getSpan();
  const spanContext = span?.spanContext();
  return spanContext && isSpanContextValid(spanContext) ? spanContext : undefined;
}

/** @returns the current span as the header `traceparent` names it, or that of the caller; null if there is none */
export function getTraceparent(): string | null {
  const spanContext = getCurrentSpanContext();
  return spanContext ? formatTraceparent(spanContext) : null;
}

/** @returns fields of log lines that lead to the trace; none if there is none */
export function getTraceLogFields(): { trace_id?: string; span_id?: string } {
  const spanContext = getCurrentSpanContext();
  if (!spanContext) return {};
  const { traceId, spanId, isRemote } = spanContext;
  // Without an exporter the span is that of the caller.
  return isRemote === true ? { trace_id: traceId } : { trace_id: traceId, span_id: spanId };
}

/** For a line about a job, in whatever trace it is logged. */
export function buildJobTraceLogFields(traceparent: string | null): {
  trace_id?: string;
  job_trace_id?: string;
} {
  const job = parseTraceHeaders({ traceparent });
  if (!job) return {};
  const current = getCurrentSpanContext();
  if (current && current.traceId !== job.traceId) return { job_trace_id: job.traceId };
  return { trace_id: job.traceId };
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
}

/** A span within the current one, for the duration of the work. Errors are recorded and rethrown. */
export function withSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/**
 * A span for work that has waited, in the trace of the job. Its creation is the parent, and also linked, because tools show how
 * long a linked span waited. Without a `traceparent` the trace begins here. Log lines of the work name the trace of the job even
 * if nothing is exported.
 */
export function withJobSpan<T>(
  name: string,
  traceparent: string | null,
  { kind = SpanKind.CONSUMER, attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const creation = parseTraceHeaders({ traceparent });
  if (!creation) return withSpan(name, { kind, attributes }, work, ROOT_CONTEXT);
  const parent = trace.setSpanContext(ROOT_CONTEXT, creation);
  return withLogFields({ trace_id: creation.traceId }, () =>
    withSpan(
      name,
      { kind, attributes },
      async (span) => {
        span.addLink({ context: creation });
        return work(span);
      },
      parent,
    ),
  );
}

export interface PastSpanOptions extends SpanOptions {
  startTime: Date;
  endTime: Date;
}

/** A span, in the trace of the job, of what was done outside of this service. Records nothing without a `traceparent`. */
export function recordPastJobSpan(
  name: string,
  traceparent: string | null,
  { kind = SpanKind.INTERNAL, attributes = {}, startTime, endTime }: PastSpanOptions,
): void {
  const creation = parseTraceHeaders({ traceparent });
  if (!creation) return;
  const parent = trace.setSpanContext(ROOT_CONTEXT, creation);
  tracer.startSpan(name, { kind, attributes, startTime }, parent).end(endTime);
}

/** For a failure that the work of the current span handles by itself. */
export function failCurrentSpan(error: unknown): void {
  const span = trace.getActiveSpan();
  if (span) failSpan(span, error);
}

/** The message of an error may quote a caller, so only its name is recorded. */
function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
}
