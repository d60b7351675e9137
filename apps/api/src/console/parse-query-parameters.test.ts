import { describe, expect, it } from 'vitest';
import {
  parsePeriodParameters,
  parseBeforeParameter,
  parseTimeParameter,
  parseAllowedQueryParameters,
} from './parse-query-parameters.js';

const LIMITS = { defaultDays: 30, maxDays: 92 };

describe('parseAllowedQueryParameters', () => {
  it('returns the known parameters that are given', () =>
    expect(parseAllowedQueryParameters({ action: 'key.' }, ['action', 'actor'])).toEqual({ action: 'key.' }));

  it.each([
    [{ action: ['a', 'b'] }, 'action'],
    [{ action: 'a\u0000' }, 'action'],
    [{ acton: 'a' }, 'acton'],
  ])('rejects %j and names %s', (query, field) =>
    expect(() => parseAllowedQueryParameters(query, ['action'])).toThrow(new RegExp(`^${field}: `)),
  );
});

describe('parseTimeParameter', () => {
  it('reads the offset, and UTC without one', () => {
    expect(parseTimeParameter('since', '2026-01-31T12:00:00.25+02:00').toISOString()).toBe(
      '2026-01-31T10:00:00.250Z',
    );
    expect(parseTimeParameter('since', '2026-01-31T12:00').toISOString()).toBe('2026-01-31T12:00:00.000Z');
  });

  it.each(['yesterday', '2026', '2026-02-30', ''])('rejects "%s" and names the field', (text) =>
    expect(() => parseTimeParameter('since', text)).toThrow(/^since: must be an ISO 8601 time/),
  );
});

describe('parseBeforeParameter', () => {
  it('accepts an id', () => expect(parseBeforeParameter('before', '17')).toBe(17));

  it.each(['', '-1', '1.5', '1e3', '9'.repeat(16)])('rejects "%s"', (text) =>
    expect(() => parseBeforeParameter('before', text)).toThrow(/^before: /),
  );
});

describe('parsePeriodParameters', () => {
  it('begins at the given day', () =>
    expect(parsePeriodParameters({ from: '2026-03-01', days: '7' }, LIMITS)).toEqual({
      from: new Date('2026-03-01T00:00:00Z'),
      days: 7,
    }));

  it('ends today by default', () => {
    const { from, days } = parsePeriodParameters({}, LIMITS);
    const end = from.getTime() + days * 86_400_000;
    expect(days).toBe(30);
    expect(end).toBeGreaterThan(Date.now());
    expect(end - Date.now()).toBeLessThanOrEqual(86_400_000);
  });

  it.each([
    [{ days: '0' }, 'days'],
    [{ days: '93' }, 'days'],
    [{ days: 'x' }, 'days'],
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '20260301' }, 'from'],
  ])('rejects %j and names %s', (parameters, field) =>
    expect(() => parsePeriodParameters(parameters, LIMITS)).toThrow(new RegExp(`^${field}: `)),
  );
});
