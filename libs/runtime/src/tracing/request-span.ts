import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { addLogFields } from '../log/log-fields.js';
import { parseTraceHeaders, type TraceHeaders } from './traceparent.js';

const tracer = trace.getTracer('zephyr');
const currentRequest = new AsyncLocalStorage<RequestSpan>();

/** A job as far as a request that names it needs it. */
export interface TracedJob {
  id: string;
  traceparent: string | null;
}

/** Span of the request that is being served; undefined outside of requests. */
export function getCurrentRequestSpan(): RequestSpan | undefined {
  return currentRequest.getStore();
}

/**
 * The span of a request, in the trace of its caller if the header `traceparent` names one. It is created, with the time of the
 * request, when it is first needed, because the job whose trace it may belong to is known only after its row was read. Without
 * a started exporter it records nothing, but still knows the trace of the caller or the job.
 */
export class RequestSpan {
  private readonly caller: SpanContext | undefined;
  private readonly attributes: Attributes;
  private readonly receivedAt = Date.now();
  private readonly receivedAtMonotonic = performance.now();
  private span: Span | undefined;
  private jobId: string | undefined;
  private isEnded = false;

  constructor(
    private readonly name: string,
    headers: TraceHeaders,
    attributes: Attributes,
  ) {
    this.caller = parseTraceHeaders(headers);
    this.attributes = { ...attributes };
  }

  run(work: () => void): void {
    currentRequest.run(this, work);
  }

  /** Creates the span if nothing has yet, which decides its trace. */
  getSpan(): Span {
    return (this.span ??= this.start(this.caller));
  }

  /** For a request that creates the job. */
  setJobId(jobId: string): void {
    this.jobId = jobId;
    if (this.span) this.span.setAttribute('zephyr.job_id', jobId);
    else this.attributes['zephyr.job_id'] = jobId;
  }

  /**
   * For a request that uploads the audio of the job or ends it: the span becomes a child of the creation if the caller has
   * named no trace, and links to it otherwise, and if something has been logged before the job was known.
   */
  joinJob({ id, traceparent }: TracedJob): void {
    if (this.jobId === id) return;
    this.setJobId(id);
    const job = parseTraceHeaders({ traceparent });
    if (job && this.span === undefined && this.caller === undefined) this.span = this.start(job);
    else if (job) this.link(job);
  }

  /** For other requests about the job, of which any number may come at any time: the span links to the creation. */
  linkJob({ id, traceparent }: TracedJob): void {
    if (this.jobId === id) return;
    this.setJobId(id);
    const job = parseTraceHeaders({ traceparent });
    if (job) this.link(job);
  }

  /** Further calls do nothing. @param status undefined if the client went away before the response */
  end(status?: number): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const span = this.getSpan();
    if (status === undefined) span.setAttribute('error.type', 'client_disconnected');
    else span.setAttribute('http.response.status_code', status);
    if (status !== undefined && status >= 500) {
      span.setAttribute('error.type', String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(this.receivedAt + performance.now() - this.receivedAtMonotonic);
  }

  private start(parent: SpanContext | undefined): Span {
    const { name, attributes, receivedAt: startTime } = this;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes, startTime }, context);
  }

  private link(job: SpanContext): void {
    const span = this.getSpan();
    const { traceId } = span.spanContext();
    if (traceId === job.traceId) return;
    span.addLink({ context: job });
    addLogFields({ job_trace_id: job.traceId });
  }
}
