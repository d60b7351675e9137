import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from './testing/synthetic-sound-builder.js';
import { isUtteranceVoiced } from './is-utterance-voiced.js';

const whole = (sound: SyntheticSoundBuilder) => {
  const samples = sound.samples();
  return isUtteranceVoiced(samples, { start: 0, end: samples.length / 16_000 });
};

describe('isUtteranceVoiced', () => {
  it('distinguishes sounds with and without pitch, whatever their envelope', () => {
    expect(whole(new SyntheticSoundBuilder().tone(1, 5000, 150))).toBe(true);
    expect(whole(new SyntheticSoundBuilder().noise(1, 5000))).toBe(false);
    expect(whole(new SyntheticSoundBuilder().babble(2, 9000, 300))).toBe(false);
  });

  it('a share of pitched frames is enough', () => {
    expect(whole(new SyntheticSoundBuilder().noise(0.3, 5000).tone(0.3, 5000, 150).noise(0.3, 5000))).toBe(
      true,
    );
    expect(whole(new SyntheticSoundBuilder().noise(1, 5000).tone(0.1, 5000, 150))).toBe(false);
  });

  it('a voice is voiced under a hum of equal loudness, and the hum alone is not', () => {
    const hum = new SyntheticSoundBuilder().tone(1, 9000, 50).samples();
    const voice = new SyntheticSoundBuilder().tone(1, 9000, 150).samples();
    const both = voice.map((sample, at) => sample + (hum[at] ?? 0));
    expect(isUtteranceVoiced(both, { start: 0, end: 1 })).toBe(true);
    expect(isUtteranceVoiced(hum, { start: 0, end: 1 })).toBe(false);
  });

  it('only the utterance is analysed', () => {
    const samples = new SyntheticSoundBuilder().tone(1, 5000, 150).noise(1, 5000).samples();
    expect(isUtteranceVoiced(samples, { start: 0, end: 1 })).toBe(true);
    expect(isUtteranceVoiced(samples, { start: 1.1, end: 2 })).toBe(false);
  });

  it('audio shorter than one pitch window is classified', () => {
    expect(isUtteranceVoiced(new Int16Array(10), { start: 0, end: 10 / 16_000 })).toBe(false);
  });
});
