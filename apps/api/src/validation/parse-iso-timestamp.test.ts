import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIsoTimestampToMicroseconds } from './parse-iso-timestamp.js';

const TIMESTAMP_MICROSECONDS = BigInt(Date.UTC(2026, 10, 20, 14, 8, 54)) * 1_000n;

describe('parseIsoTimestampToMicroseconds', () => {
  it.each([
    ['2026-11-20T14:08:54Z', 0n],
    ['2026-11-20T14:08:54.123456Z', 123_456n],
    ['2026-11-20T14:08:54.1Z', 100_000n],
    ['2026-11-20T14:08:54,000001Z', 1n],
    ['2026-11-20T14:08:54.123456000Z', 123_456n],
    ['2026-11-20T14:08:54.1234561Z', 123_457n],
    ['2026-11-20T14:08:54.9999999Z', 1_000_000n],
    ['2026-11-20T16:08:54+02:00', 0n],
    ['2026-11-20T16:08:54+0200', 0n],
    ['2026-11-20T16:08:54+02', 0n],
    ['2026-11-20T16:08:54 02:00', 0n],
    ['2026-11-20T04:38:54-09:30', 0n],
    ['2026-11-21T00:08:54+10:00', 0n],
    ['2026-11-20t14:08:54z', 0n],
    ['2026-11-20T14:08:54', 0n],
    ['20261120T140854Z', 0n],
    ['2026-11-20T14:08:53.999999-00:00', -1n],
    ['2026-11-20T14:08Z', -54_000_000n],
    ['2026-11-20', -(14n * 3_600n + 8n * 60n + 54n) * 1_000_000n],
    ['2026-11-19T24:00:00Z', -(14n * 3_600n + 8n * 60n + 54n) * 1_000_000n],
  ])('parses %s', (text, difference) => {
    expect(parseIsoTimestampToMicroseconds(text)).toBe(TIMESTAMP_MICROSECONDS + difference);
  });

  it.each([
    '',
    'yesterday',
    '1763647734',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-11-31',
    '2026-11-20T25:00:00Z',
    '2026-11-20T24:00:01Z',
    '2026-11-20T14:60:00Z',
    '2026-11-20T14:08:61Z',
    '2026-11-20T14:08:54.Z',
    '2026-11-20T14:08:54+24:00',
    '2026-11-20T14:08:54+02:60',
    '2026-11-20 14:08:54Z',
    '2026-11-20T14:08:54Z ',
    '2026-11-20T14:08:54Z\u0000',
    "2026-11-20T14:08:54Z' OR 1=1",
    '+12026-11-20T14:08:54Z',
    'infinity',
  ])('returns null for %j', (text) => {
    expect(parseIsoTimestampToMicroseconds(text)).toBeNull();
  });

  it('parses the years 1 and 9999', () => {
    expect(parseIsoTimestampToMicroseconds('0001-01-01T00:00:00Z')).toBe(-62_135_596_800_000_000n);
    expect(parseIsoTimestampToMicroseconds('9999-12-31T23:59:59.999999Z')).toBe(253_402_300_799_999_999n);
  });

  it('agrees with Date on every timestamp and offset', () => {
    const times = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, fc.integer({ min: -14 * 60, max: 14 * 60 }), (time, minutes) => {
        const local = new Date(time.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const digits = (value: number) => String(value).padStart(2, '0');
        const text = `${local}${minutes < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`;
        expect(parseIsoTimestampToMicroseconds(text)).toBe(BigInt(time.getTime()) * 1_000n);
      }),
    );
  });
});
