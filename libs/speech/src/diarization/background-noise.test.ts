import { expect, it } from 'vitest';
import { CooperativeYielder } from '@app/async';
import { MEL_BAND_COUNT, MelFilterBank } from '../spectrum/mel-filter-bank.js';
import { FRAME_SAMPLES, FRAMES_PER_SECOND, type ClassifiedFrame } from '../vad/frame.js';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { estimateBackgroundNoise, subtractNoiseFromBandsInPlace } from './background-noise.js';

const SECONDS = 2;
const RATE = 16_000;
const voice = new SyntheticSoundBuilder(1).silence(SECONDS).babble(SECONDS, 3_000).samples();

/** The voice, which begins after the given seconds, over noise from the start. */
function inNoise(amplitude: number): Int16Array {
  const noise = new SyntheticSoundBuilder(9).noise(2 * SECONDS, amplitude).samples();
  return voice.map((sample, index) => sample + (noise[index] ?? 0));
}

function framesOf(pause: number, level = -50): ClassifiedFrame[] {
  const count = 2 * SECONDS * FRAMES_PER_SECOND;
  return Array.from({ length: count }, (_, index) => {
    const speech = index >= pause * FRAMES_PER_SECOND;
    return { levelDb: speech ? -20 : level, isSpeech: speech };
  });
}

function background(
  samples: Int16Array,
  frames = framesOf(SECONDS),
): ReturnType<typeof estimateBackgroundNoise> {
  return estimateBackgroundNoise(samples, frames, new CooperativeYielder(new AbortController().signal));
}

/** Mean level of the bands while the voice is heard. */
function meanLevels(samples: Int16Array, change: (bands: Float64Array) => void): number[] {
  const mel = new MelFilterBank();
  const sums = new Array<number>(MEL_BAND_COUNT).fill(0);
  const starts = Array.from({ length: 80 }, (_, step) => (SECONDS + 0.1) * RATE + step * 320);
  for (const start of starts) {
    const bands = mel.logPowers(samples, start);
    change(bands);
    for (const [band, level] of bands.entries()) sums[band] = (sums[band] ?? 0) + level / starts.length;
  }
  return sums;
}

it('noise estimated in pauses brings the MFCCs of a noisy voice closer to the clean ones', async () => {
  const noisy = inNoise(500);
  const found = await background(noisy);
  if (!found) throw new Error('No noise was found.');
  expect(found.level).toBe(-50);
  const clean = meanLevels(voice, () => undefined);
  const far = (levels: number[]): number =>
    levels.reduce((sum, level, band) => sum + Math.abs(level - (clean[band] ?? 0)), 0);
  const raw = far(meanLevels(noisy, () => undefined));
  expect(far(meanLevels(noisy, (bands) => subtractNoiseFromBandsInPlace(found, bands)))).toBeLessThan(
    0.7 * raw,
  );
});

it('clicks in pauses are not counted as noise', async () => {
  const noisy = inNoise(500);
  const even = await background(noisy);
  const frames = framesOf(SECONDS);
  for (const at of [20, 40, 60]) {
    noisy.fill(8_000, at * FRAME_SAMPLES, at * FRAME_SAMPLES + 160);
    frames[at] = { levelDb: -20, isSpeech: false };
  }
  const found = await background(noisy, frames);
  for (const [band, power] of (found?.powers ?? new Float64Array()).entries())
    expect(power / (even?.powers[band] ?? 0)).toBeCloseTo(1, 0);
  expect(found?.level).toBe(even?.level);
});

it('subtraction leaves a fifth of a band that is only noise', () => {
  const bands = new Float64Array(MEL_BAND_COUNT).fill(Math.log(1_000));
  subtractNoiseFromBandsInPlace({ level: -50, powers: new Float64Array(MEL_BAND_COUNT).fill(990) }, bands);
  for (const level of bands) expect(Math.exp(level)).toBeCloseTo(200, 6);
});

it.each([
  ['clear', voice, framesOf(SECONDS)],
  ['without a pause', inNoise(500), framesOf(0)],
  ['so faint that its noise is rounding', inNoise(500), framesOf(SECONDS, -81)],
])('no noise is estimated for a sound that is %s', async (_, samples, frames) => {
  expect(await background(samples, frames)).toBeNull();
});
