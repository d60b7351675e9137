import { describe, expect, it } from 'vitest';
import { parseChoice, parseCredits, parseLimit, parseMoment, parseSeconds } from './option-values.js';
import { CommandRefused } from './output.js';

describe('numbers of commands', () => {
  it.each(['0', '-1', '1.5', '1e3', '', ' 1', '101'])(
    '--limit refuses "%s" where a hundred is the most',
    (text) => expect(() => parseLimit(text, 100)).toThrow(CommandRefused),
  );

  it.each(['0', '-5', '007', '1234567890123456', 'ten'])('an amount of credits is not "%s"', (text) =>
    expect(() => parseCredits('--amount', text)).toThrow(/^--amount takes/),
  );

  it('are taken as they are', () => {
    expect(parseLimit('100', 100)).toBe(100);
    expect(parseCredits('--amount', '123456789012345')).toBe(123_456_789_012_345);
  });
});

it('one of a few words is taken as it is, another refused with all of them', () => {
  expect(parseChoice('--state', ['open', 'ended'], 'ended')).toBe('ended');
  expect(() => parseChoice('--state', ['open', 'ended'], 'Open')).toThrow('--state takes open, ended.');
});

describe('times of commands', () => {
  it.each([
    ['90s', 90],
    ['30m', 1_800],
    ['24h', 86_400],
    ['30d', 2_592_000],
  ])('%s is so many seconds', (text, seconds) =>
    expect(parseSeconds('--overlap', text, 30 * 86_400)).toBe(seconds),
  );

  it.each(['', '0h', '24', '1.5h', '-1h', '31d', '24 h', '1w'])('"%s" is none', (text) =>
    expect(() => parseSeconds('--overlap', text, 30 * 86_400)).toThrow(/^--overlap takes a time/),
  );
});

describe('moments of commands', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:05.25', '2026-01-31T12:00:05.250Z'],
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ])('%s is UTC unless it says otherwise', (text, iso) =>
    expect(parseMoment('--since', text).toISOString()).toBe(iso),
  );

  it.each(['yesterday', '2026', '2026-13-01', '2026-01-31 12:00', '1769860800', ''])('"%s" is none', (text) =>
    expect(() => parseMoment('--since', text)).toThrow(/^--since takes a moment/),
  );
});
