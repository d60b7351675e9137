import { describe, expect, it } from 'vitest';
import {
  parseChoice,
  parseCredits,
  parseRowLimit,
  parseTimestamp,
  parseDurationSeconds,
} from './option-values.js';
import { CommandError } from './output.js';

describe('numeric command options', () => {
  it.each(['0', '-1', '1.5', '1e3', '', ' 1', '101'])(
    '--limit rejects "%s" when the maximum is 100',
    (text) => expect(() => parseRowLimit(text, 100)).toThrow(CommandError),
  );

  it.each(['0', '-5', '007', '1234567890123456', 'ten'])('a credit amount rejects "%s"', (text) =>
    expect(() => parseCredits(text, '--amount')).toThrow(/^--amount takes/),
  );

  it('are parsed as written', () => {
    expect(parseRowLimit('100', 100)).toBe(100);
    expect(parseCredits('123456789012345', '--amount')).toBe(123_456_789_012_345);
  });
});

it('parseChoice returns a listed word and rejects any other, listing all choices', () => {
  expect(parseChoice('ended', '--state', ['open', 'ended'])).toBe('ended');
  expect(() => parseChoice('Open', '--state', ['open', 'ended'])).toThrow('--state takes open, ended.');
});

describe('parseDurationSeconds', () => {
  it.each([
    ['90s', 90],
    ['30m', 1_800],
    ['24h', 86_400],
    ['30d', 2_592_000],
  ])('parses %s into seconds', (text, seconds) =>
    expect(parseDurationSeconds(text, '--overlap', 30 * 86_400)).toBe(seconds),
  );

  it.each(['', '0h', '24', '1.5h', '-1h', '31d', '24 h', '1w'])('rejects "%s"', (text) =>
    expect(() => parseDurationSeconds(text, '--overlap', 30 * 86_400)).toThrow(/^--overlap takes a time/),
  );
});

describe('parseTimestamp', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:05.25', '2026-01-31T12:00:05.250Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ])('parses %s as UTC unless it has an offset', (text, iso) =>
    expect(parseTimestamp(text, '--since').toISOString()).toBe(iso),
  );

  it.each(['yesterday', '2026', '2026-13-01', '2026-01-31 12:00', '1769860800', ''])('rejects "%s"', (text) =>
    expect(() => parseTimestamp(text, '--since')).toThrow(/^--since takes a moment/),
  );
});
