import {
  context,
  type Attributes,
  type Context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Without a started exporter every span is a no-op, and there is no current context. */
const tracer = trace.getTracer('zephyr');

/** @returns the current span as the header `traceparent` names it; null if nothing is traced */
export function getTraceparent(): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
}

/** @returns fields of log lines that lead to the trace; none if nothing is traced */
export function getTraceLogFields(): { trace_id?: string; span_id?: string } {
  const spanContext = trace.getActiveSpan()?.spanContext();
  if (spanContext === undefined || !isSpanContextValid(spanContext)) return {};
  return { trace_id: spanContext.traceId, span_id: spanContext.spanId };
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
}

/** A span within the current one, for the duration of the work. Errors are recorded and rethrown. */
export function withSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {} }: SpanOptions,
  work: () => Promise<T>,
  parent: Context = context.active(),
): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
    try {
      return await work();
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
 * long a linked span waited. Without a `traceparent` the trace begins here.
 */
export function withJobSpan<T>(
  name: string,
  traceparent: string | null,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const parent = readContext({ traceparent });
  const creation = trace.getSpanContext(parent);
  return withSpan(
    name,
    { kind: SpanKind.CONSUMER, ...options },
    async () => {
      if (creation !== undefined) trace.getActiveSpan()?.addLink({ context: creation });
      return work();
    },
    parent,
  );
}

export interface RequestSpan {
  /** Runs what follows within the span. */
  run: (work: () => void) => void;
  end: (name: string, status: number) => void;
}

/** Of a request, or as stored with a job. */
type TraceHeaders = Readonly<Record<string, string | string[] | null | undefined>>;

/** A span for a request, in the trace of its caller if the header `traceparent` names one. */
export function startRequestSpan(headers: TraceHeaders, attributes: Attributes): RequestSpan {
  const parent = readContext(headers);
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent);
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: (name, status) => {
      span.updateName(name);
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function readContext({ traceparent, tracestate }: TraceHeaders): Context {
  if (typeof traceparent !== 'string') return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
  });
}

/** The message of an error may quote a caller, so only its name is recorded. */
function failSpan(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
