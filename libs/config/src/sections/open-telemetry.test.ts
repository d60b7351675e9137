import { describe, expect, it } from 'vitest';
import { loadConfig } from '../load-config.js';

describe('OTEL_EXPORTER_OTLP_HEADERS', () => {
  const load = (text: string) => loadConfig({ OTEL_EXPORTER_OTLP_HEADERS: text }).tracing.headers;

  it('is parsed as headers with percent-encoded values', () => {
    expect(load('Authorization=Basic%20YTpi==, x-scope=one')).toEqual({
      Authorization: 'Basic YTpi==',
      'x-scope': 'one',
    });
  });

  it.each([
    ['a pair without a value', 'hidden'],
    ['a value with a wrong percent sign', 'x-api-key=hidden%'],
  ])('rejects %s without printing it', (_, text) => {
    expect(() => load(text)).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must/);
    expect(() => load(text)).not.toThrow(/hidden/);
  });
});
