import { describe, expect, it } from 'vitest';
import { COEFFICIENTS } from './cepstrum.js';
import type { VoiceWindow } from './voice-window.js';
import { decodeWindows, encodeWindows, VoicesInvalid } from './window-codec.js';

const windows: VoiceWindow[] = [
  { start: 0.1, end: 0.62, frames: 25, voiced: 20, pitch: 6.9, mean: coefficients(1) },
  { start: 899.5, end: 900, frames: 1, voiced: 0, pitch: 0, mean: coefficients(-6) },
];

describe('the text that is kept of voices', () => {
  it('gives back what was put in, to the precision of its steps', () => {
    const read = decodeWindows(encodeWindows(windows));
    expect(read).toHaveLength(2);
    for (const [index, window] of read.entries()) {
      const { mean, pitch, ...exact } = windows[index] ?? fail();
      expect(window).toMatchObject(exact);
      expect(window.pitch).toBeCloseTo(pitch, 3);
      for (const [at, value] of mean.entries()) expect(window.mean[at]).toBeCloseTo(value, 2);
    }
  });

  it('is empty for no speech, and small for much', () => {
    expect(decodeWindows(encodeWindows([]))).toEqual([]);
    const hour = Array.from({ length: 7200 }, () => windows[0] ?? fail());
    expect(encodeWindows(hour).length).toBeLessThan(500_000);
  });

  const whole = encodeWindows(windows);
  it.each([
    ['nothing', ''],
    ['another version', whole.replace('v2', 'v9')],
    ['a piece', whole.slice(0, -7)],
    ['no base64', 'v2:***'],
    ['zeros', `v2:${Buffer.alloc(100).toString('base64')}`],
    ['random bytes', `v2:${Buffer.from('zephyr'.repeat(25)).toString('base64')}`],
  ])('refuses %s', (_, text) => {
    expect(() => decodeWindows(text)).toThrow(VoicesInvalid);
  });
});

function coefficients(scale: number): Float64Array {
  return Float64Array.from({ length: COEFFICIENTS }, (_, index) => scale * (index + 0.3));
}

function fail(): never {
  throw new Error('The test has no such window.');
}
