import { expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { measureDecayToAttackRatio } from './measure-decay-to-attack-ratio.js';

function bursts(end: (sound: SyntheticSoundBuilder) => SyntheticSoundBuilder): Int16Array {
  const sound = new SyntheticSoundBuilder();
  for (let count = 0; count < 8; count += 1) end(sound.noise(0.3, 8_000));
  return sound.samples();
}

it.each([
  ['into silence', (sound: SyntheticSoundBuilder) => sound.silence(0.3)],
  ['into noise', (sound: SyntheticSoundBuilder) => sound.noise(0.3, 1_000)],
  ['into much noise', (sound: SyntheticSoundBuilder) => sound.noise(0.3, 4_000)],
])('measureDecayToAttackRatio is near one for a sound that ends %s', (_, end) => {
  expect(Math.abs((measureDecayToAttackRatio(bursts(end)) ?? 0) - 1)).toBeLessThan(0.1);
});

it.each([
  [0.3, 0.6],
  [0.5, 0.45],
  [0.8, 0.45],
])('measureDecayToAttackRatio is low in a room with a reverberation time of %f s', (seconds, most) => {
  expect(measureDecayToAttackRatio(bursts((sound) => sound.echo(0.3, 4_000, seconds)))).toBeLessThan(most);
});

it('measureDecayToAttackRatio returns null for silence and very short audio', () => {
  expect(measureDecayToAttackRatio(new Int16Array(500))).toBeNull();
  expect(measureDecayToAttackRatio(new SyntheticSoundBuilder().noise(0.2, 8_000).samples())).toBeNull();
  expect(measureDecayToAttackRatio(new Int16Array(16_000))).toBeNull();
});
