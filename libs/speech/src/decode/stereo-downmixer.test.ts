import { describe, expect, it } from 'vitest';
import { StereoDownmixer } from './stereo-downmixer.js';

const RATE = 16_000;
const wave = (hertz: number, level: number) => (at: number) =>
  Math.round(level * Math.sin((2 * Math.PI * hertz * at) / RATE));

/** Both channels through a mixer, in pieces of many lengths, and the loudest sample of each tenth of a second. */
function peaks(left: (at: number) => number, right: (at: number) => number, seconds = 2): number[] {
  const mixer = new StereoDownmixer();
  const pairs = Int16Array.from({ length: 2 * seconds * RATE }, (_, at) =>
    (at % 2 === 0 ? left : right)(at >> 1),
  );
  const mixed: number[] = [];
  for (let from = 0, piece = 2; from < pairs.length; from += piece, piece = 2 + ((piece * 7) % 3000))
    mixed.push(...mixer.push(pairs.subarray(from, from + piece - (piece % 2) || 2)));
  const tenth = RATE / 10;
  return Array.from({ length: mixed.length / tenth }, (_, at) =>
    Math.max(...mixed.slice(at * tenth, (at + 1) * tenth).map(Math.abs)),
  );
}

describe('StereoDownmixer', () => {
  const voice = wave(300, 10_000);
  const upsideDown = (at: number) => -voice(at);
  const nothing = () => 0;

  it('identical channels are returned bit for bit', () => {
    const mixer = new StereoDownmixer();
    const samples = [0, 1, -1, 255, -32_768, 32_767];
    expect([...mixer.push(Int16Array.from(samples.flatMap((sample) => [sample, sample])))]).toEqual(samples);
  });

  it('a signal in one channel is halved', () => {
    for (const [left, right] of [
      [voice, nothing],
      [nothing, voice],
    ] as const)
      for (const peak of peaks(left, right)) expect(peak).toBeCloseTo(5_000, -2);
  });

  it('channels of opposite polarity do not cancel out, from the first word on', () => {
    for (const peak of peaks(voice, upsideDown)) expect(peak).toBeCloseTo(10_000, -2);
  });

  it('a change of polarity is detected within half a second', () => {
    const changed =
      (seconds: number, first: (at: number) => number, then: (at: number) => number) => (at: number) =>
        (at < seconds * RATE ? first : then)(at);
    for (const right of [changed(2, upsideDown, voice), changed(2, voice, upsideDown)]) {
      const isAudible = peaks(voice, right, 4).map((peak) => peak > 9_000);
      expect(isAudible.slice(0, 20)).not.toContain(false);
      expect(isAudible.slice(26)).not.toContain(false);
    }
  });
});
