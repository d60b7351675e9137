import { expect, it } from 'vitest';
import { PcmBuffer } from './pcm.js';

it('PcmBuffer returns retained samples by stream position and its memory stays bounded', () => {
  const window = new PcmBuffer();
  for (let block = 0; block < 400; block += 1) {
    const from = block * 10_000;
    window.append(Int16Array.from({ length: 10_000 }, (_, at) => (from + at) % 30_011));
    const start = Math.max(0, from - 5_000);
    expect([...window.slice(start, start + 3)]).toEqual([0, 1, 2].map((at) => (start + at) % 30_011));
    window.dropBefore(start);
  }
  expect(window.end).toBe(4_000_000);
  expect(window.slice(3_999_999, 5_000_000)).toHaveLength(1);
  expect(window['samples'].length).toBeLessThanOrEqual(1 << 17);
  expect(() => window.slice(0, 10)).toThrow(RangeError);
});
