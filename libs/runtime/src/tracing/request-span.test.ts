import { describe, expect, it } from 'vitest';
import { getCurrentLogFields, withLogFields } from '../log/log-fields.js';
import { RequestSpan } from './request-span.js';
import { buildJobTraceLogFields, getTraceLogFields, getTraceparent } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const JOB_TRACE = '0af7651916cd43dd8448eb211c80319c';
const OF_CALLER = `00-${TRACE}-00f067aa0ba902b7-01`;
const OF_JOB = `00-${JOB_TRACE}-b7ad6b7169203331-01`;
const JOB = { id: 'job', traceparent: OF_JOB };

/** @returns what log lines have, and what a job would keep, at the end of a request */
function serve(traceparent: string | undefined, work: (span: RequestSpan) => void) {
  const span = new RequestSpan('POST /route', { traceparent }, {});
  let seen: { fields: object; kept: string | null } | undefined;
  withLogFields({}, () =>
    span.run(() => {
      work(span);
      seen = { fields: { ...getCurrentLogFields(), ...getTraceLogFields() }, kept: getTraceparent() };
    }),
  );
  span.end(200);
  return seen;
}

/** Without a started exporter; with one: test/e2e/tracing.test.ts. */
describe('a request whose spans are not exported', () => {
  it('is in the trace of its caller, which a created job keeps', () => {
    const seen = serve(OF_CALLER, (span) => span.setJobId('job'));
    expect(seen).toEqual({ fields: { trace_id: TRACE }, kept: OF_CALLER });
  });

  it('is in the trace of the job that it continues, if its caller names none', () => {
    const seen = serve(undefined, (span) => span.joinJob(JOB));
    expect(seen).toMatchObject({ fields: { trace_id: JOB_TRACE } });
  });

  it('names the trace of the job besides that of its caller', () => {
    const seen = serve(OF_CALLER, (span) => span.joinJob(JOB));
    expect(seen).toMatchObject({ fields: { trace_id: TRACE, job_trace_id: JOB_TRACE } });
  });

  it('names the trace of a job that it only reads', () => {
    expect(serve(undefined, (span) => span.linkJob(JOB))?.fields).toEqual({ job_trace_id: JOB_TRACE });
  });

  it('names no trace if neither caller nor job has one', () => {
    const seen = serve(undefined, (span) => span.joinJob({ id: 'job', traceparent: null }));
    expect(seen).toEqual({ fields: {}, kept: null });
  });
});

describe('buildJobTraceLogFields', () => {
  it('names the trace of a job outside of any trace, and inside of its own', () => {
    expect(buildJobTraceLogFields(OF_JOB)).toEqual({ trace_id: JOB_TRACE });
    const inOwn = new RequestSpan('POST /route', { traceparent: OF_JOB }, {});
    inOwn.run(() => expect(buildJobTraceLogFields(OF_JOB)).toEqual({ trace_id: JOB_TRACE }));
  });

  it('names it apart inside of another trace', () => {
    const inOther = new RequestSpan('POST /route', { traceparent: OF_CALLER }, {});
    inOther.run(() => expect(buildJobTraceLogFields(OF_JOB)).toEqual({ job_trace_id: JOB_TRACE }));
  });

  it('names nothing for a job without a trace', () => {
    expect(buildJobTraceLogFields(null)).toEqual({});
  });
});
