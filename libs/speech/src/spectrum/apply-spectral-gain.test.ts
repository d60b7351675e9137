import { expect, it } from 'vitest';
import { SPECTRUM_BIN_COUNT, applySpectralGain } from './apply-spectral-gain.js';

const RATE = 16_000;
/** Hertz from one bin to the next. */
const BIN_HERTZ = RATE / 2 / (SPECTRUM_BIN_COUNT - 1);

function tones(hertz: readonly number[], length = 5_003): Int16Array {
  return Int16Array.from({ length }, (_, at) =>
    hertz.reduce((sum, each) => sum + 6_000 * Math.sin((2 * Math.PI * each * at) / RATE), 0),
  );
}

it('applySpectralGain with unit gain reproduces every sample, including the ends', () => {
  const loud = Int16Array.of(...tones([440, 3_000]), 32_767, -32_768);
  expect(applySpectralGain(loud, (_, gains) => gains.fill(1))).toEqual(loud);
  expect(applySpectralGain(new Int16Array(0), (_, gains) => gains.fill(1))).toEqual(new Int16Array(0));
});

it('applySpectralGain removes the chosen frequencies and preserves the others', () => {
  const [low, high] = [tones([500]), tones([500, 4_000])];
  const filtered = applySpectralGain(high, (_, gains) => {
    for (const bin of gains.keys()) gains[bin] = bin * BIN_HERTZ < 2_000 ? 1 : 0;
  });
  const wrong = filtered.subarray(600, -600).map((sample, at) => Math.abs(sample - (low[at + 600] ?? 0)));
  expect(Math.max(...wrong)).toBeLessThan(60);
});

it('applySpectralGain passes the power of each frequency', () => {
  const sum = new Float64Array(SPECTRUM_BIN_COUNT);
  applySpectralGain(tones([2_000]), (powers) => {
    for (const [bin, power] of powers.entries()) sum[bin] = (sum[bin] ?? 0) + power;
  });
  expect(sum.indexOf(Math.max(...sum)) * BIN_HERTZ).toBe(2_000);
});

it('applySpectralGain clips to the 16-bit range', () => {
  const filtered = applySpectralGain(tones([440]), (_, gains) => gains.fill(100));
  expect([Math.min(...filtered), Math.max(...filtered)]).toEqual([-32_768, 32_767]);
});
