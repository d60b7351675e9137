import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, FRAMES_PER_SECOND } from './frame.js';
import { SyntheticSoundBuilder } from './testing/synthetic-sound-builder.js';
import { EnergyFrameClassifier } from './energy-frame-classifier.js';

/** Runs of speech in seconds, the samples given in blocks of the size given. */
function speech(sound: SyntheticSoundBuilder, block = 5000): [number, number][] {
  const activity = new EnergyFrameClassifier();
  const samples = sound.samples();
  const frames = [];
  for (let at = 0; at < samples.length; at += block)
    frames.push(...activity.push(samples.subarray(at, at + block)));
  frames.push(...activity.flush());
  expect(frames).toHaveLength(Math.ceil(samples.length / FRAME_SAMPLES));
  const runs: [number, number][] = [];
  frames.forEach((frame, index) => {
    if (!frame.isSpeech) return;
    const last = runs.at(-1);
    if (last && last[1] === index / FRAMES_PER_SECOND) last[1] = (index + 1) / FRAMES_PER_SECOND;
    else runs.push([index / FRAMES_PER_SECOND, (index + 1) / FRAMES_PER_SECOND]);
  });
  return runs;
}

const sound = () => new SyntheticSoundBuilder();

describe('EnergyFrameClassifier', () => {
  it('reports no speech in empty audio, silence, steady noise, a DC offset or hum', () => {
    expect(speech(sound())).toEqual([]);
    expect(speech(sound().silence(20))).toEqual([]);
    for (const amplitude of [1, 30, 1000, 20_000]) expect(speech(sound().noise(20, amplitude))).toEqual([]);
    expect(speech(sound().tone(20, 3000, 50))).toEqual([]);
    const offset = { samples: () => new Int16Array(160_000).fill(12_000) } as SyntheticSoundBuilder;
    expect(speech(offset)).toEqual([]);
  });

  it('locates a tone burst to the frame', () => {
    const runs = speech(sound().noise(5, 20).tone(1, 5000).noise(5, 20).tone(0.4, 5000).noise(5, 20));
    expect(runs).toHaveLength(2);
    expect(runs[0]?.[0]).toBeCloseTo(5, 1);
    expect(runs[0]?.[1]).toBeCloseTo(6, 1);
    expect(runs[1]?.[0]).toBeCloseTo(11, 1);
    expect(runs[1]?.[1]).toBeCloseTo(11.4, 1);
  });

  it('a step of the noise level is not speech', () => {
    const steps = () => sound().noise(8, 20).noise(8, 600).noise(8, 20);
    expect(speech(steps())).toEqual([]);
  });

  it('speech after a step of the noise level is detected', () => {
    const runs = speech(sound().noise(8, 20).noise(6, 600).babble(2, 20_000, 600).noise(6, 600));
    expect(runs[0]?.[0]).toBeCloseTo(14, 0);
    expect(runs.at(-1)?.[1]).toBeCloseTo(16, 0);
  });

  it('speech continues through dips between syllables', () => {
    const runs = speech(sound().noise(4, 20).babble(10, 8000, 20).noise(4, 20));
    expect(runs).toHaveLength(1);
    expect(runs[0]?.[0]).toBeCloseTo(4, 1);
    expect(runs[0]?.[1]).toBeCloseTo(14, 1);
  });

  it('speech is detected at the start, at the end and in very short files', () => {
    const runs = speech(sound().babble(1, 8000, 20).noise(6, 20).babble(1, 8000, 20));
    expect(runs).toHaveLength(2);
    expect(runs[0]?.[0]).toBeLessThan(0.1);
    expect(runs[1]?.[1]).toBeGreaterThan(7.9);
    expect(speech(sound().babble(0.8, 8000, 20))).toHaveLength(1);
  });

  it('a click is not speech', () => {
    expect(speech(sound().noise(4, 20).tone(0.02, 20_000).noise(4, 20))).toEqual([]);
  });

  it('the result does not depend on block sizes', () => {
    const same = () => sound().noise(4, 20).babble(3, 8000, 20).noise(3.013, 20);
    expect(speech(same(), 7)).toEqual(speech(same(), 100_000));
  });
});
