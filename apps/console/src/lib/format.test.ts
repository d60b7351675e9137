import { describe, expect, it } from 'vitest';
import { formatDurationInWords, formatBytes, formatDurationAsClock } from './format.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [6, '6 bytes'],
    [20_000, '20 kB'],
    [16_800_000, '16.8 MB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('formatDurationAsClock', () => {
  it.each([
    [0.4, '0:00'],
    [64.9, '1:04'],
    [3_723, '1:02:03'],
    [10_080, '2:48:00'],
    [36_000_000, '10,000:00:00'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatDurationAsClock(seconds)).toBe(text);
  });
});

describe('formatDurationInWords', () => {
  it.each([
    [0.4, '0 sec'],
    [7, '7 sec'],
    [100, '1 min, 40 sec'],
    [3_600, '1 hr'],
    [6_005, '1 hr, 40 min'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatDurationInWords(seconds)).toBe(text);
  });
});
