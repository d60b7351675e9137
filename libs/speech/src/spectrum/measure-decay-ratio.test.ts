import { expect, it } from 'vitest';
import { SyntheticSound } from '../vad/testing/synthetic-sound.js';
import { measureDecayRatio } from './measure-decay-ratio.js';

function bursts(end: (sound: SyntheticSound) => SyntheticSound): Int16Array {
  const sound = new SyntheticSound();
  for (let count = 0; count < 8; count += 1) end(sound.noise(0.3, 8_000));
  return sound.samples();
}

it.each([
  ['into silence', (sound: SyntheticSound) => sound.silence(0.3)],
  ['into noise', (sound: SyntheticSound) => sound.noise(0.3, 1_000)],
  ['into much noise', (sound: SyntheticSound) => sound.noise(0.3, 4_000)],
])('measureDecayRatio is near one for a sound that ends %s', (_, end) => {
  expect(Math.abs((measureDecayRatio(bursts(end)) ?? 0) - 1)).toBeLessThan(0.1);
});

it.each([
  [0.3, 0.6],
  [0.5, 0.45],
  [0.8, 0.45],
])('measureDecayRatio is low in a room with a reverberation time of %f s', (seconds, most) => {
  expect(measureDecayRatio(bursts((sound) => sound.echo(0.3, 4_000, seconds)))).toBeLessThan(most);
});

it('measureDecayRatio returns null for silence and very short audio', () => {
  expect(measureDecayRatio(new Int16Array(500))).toBeNull();
  expect(measureDecayRatio(new SyntheticSound().noise(0.2, 8_000).samples())).toBeNull();
  expect(measureDecayRatio(new Int16Array(16_000))).toBeNull();
});
