import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceHeaders } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceHeaders', () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`])(
    'reads %s as it is written',
    (traceparent) => {
      const parsed = parseTraceHeaders({ traceparent });
      expect(parsed).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true });
      expect(parsed && formatTraceparent(parsed)).toBe(traceparent);
    },
  );

  it('reads a later version with more fields', () => {
    expect(parseTraceHeaders({ traceparent: `01-${TRACE}-${SPAN}-01-more` })).toMatchObject({
      traceId: TRACE,
    });
  });

  it.each([
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
    '',
    null,
    undefined,
    [`00-${TRACE}-${SPAN}-01`],
  ])('ignores %j', (traceparent) => {
    expect(parseTraceHeaders({ traceparent })).toBeUndefined();
  });

  it('keeps tracestate', () => {
    const parsed = parseTraceHeaders({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=value' });
    expect(parsed?.traceState?.get('vendor')).toBe('value');
  });
});
