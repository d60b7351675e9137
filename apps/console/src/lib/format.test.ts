import { describe, expect, it } from 'vitest';
import { describeUserAgent, formatDurationInWords, formatBytes, formatDurationAsClock } from './format.ts';

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

describe('describeUserAgent', () => {
  const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

  it.each([
    [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome, Android'],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox, Android'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome, Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
      'Safari, macOS',
    ],
    ['curl/8.14.1', 'curl/8.14.1'],
    [null, null],
  ])('%s is %s', (userAgent, text) => {
    expect(describeUserAgent(userAgent)).toBe(text);
  });
});
