import { describe, expect, it } from 'vitest';
import { MFCC_COEFFICIENT_COUNT } from './mfcc-extractor.js';
import {
  type AcousticWindow,
  decodeAcousticWindowsFromText,
  encodeAcousticWindowsAsText,
  SpeakerFeaturesDecodeError,
} from './acoustic-window.js';

const windows: AcousticWindow[] = [
  { start: 0.1, end: 0.62, frames: 25, voiced: 20, pitch: 6.9, mean: coefficients(1) },
  { start: 899.5, end: 900, frames: 1, voiced: 0, pitch: 0, mean: coefficients(-6) },
];

describe('acoustic window codec', () => {
  it('decoding returns the encoded values within the quantization step', () => {
    const read = decodeAcousticWindowsFromText(encodeAcousticWindowsAsText(windows));
    expect(read).toHaveLength(2);
    for (const [index, window] of read.entries()) {
      const { mean, pitch, ...exact } = windows[index] ?? fail();
      expect(window).toMatchObject(exact);
      expect(window.pitch).toBeCloseTo(pitch, 3);
      for (const [at, value] of mean.entries()) expect(window.mean[at]).toBeCloseTo(value, 2);
    }
  });

  it('a window that rounding makes empty is left out', () => {
    const [window] = windows;
    const sliver = { ...(window ?? fail()), start: 30.004, end: 30.009 };
    const read = decodeAcousticWindowsFromText(encodeAcousticWindowsAsText([sliver, ...windows]));
    expect(read.map(({ start }) => start)).toEqual(windows.map(({ start }) => start));
  });

  it('no speech yields an empty text, and the encoding of much speech is small', () => {
    expect(decodeAcousticWindowsFromText(encodeAcousticWindowsAsText([]))).toEqual([]);
    const hour = Array.from({ length: 7200 }, () => windows[0] ?? fail());
    expect(encodeAcousticWindowsAsText(hour).length).toBeLessThan(500_000);
  });

  const whole = encodeAcousticWindowsAsText(windows);
  it.each([
    ['nothing', ''],
    ['another version', whole.replace('v2', 'v9')],
    ['a piece', whole.slice(0, -7)],
    ['no base64', 'v2:***'],
    ['zeros', `v2:${Buffer.alloc(100).toString('base64')}`],
    ['random bytes', `v2:${Buffer.from('zephyr'.repeat(25)).toString('base64')}`],
  ])('decoding rejects %s', (_, text) => {
    expect(() => decodeAcousticWindowsFromText(text)).toThrow(SpeakerFeaturesDecodeError);
  });
});

function coefficients(scale: number): Float64Array {
  return Float64Array.from({ length: MFCC_COEFFICIENT_COUNT }, (_, index) => scale * (index + 0.3));
}

function fail(): never {
  throw new Error('The test has no such window.');
}
