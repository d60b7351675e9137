import { describe, expect, it } from 'vitest';
import { FRAMES_PER_SECOND } from '../vad/frame.js';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { CrosstalkDetector } from './crosstalk-detector.js';

const LOUD = 8_000;
const share = (flags: readonly boolean[]) => flags.filter(Boolean).length / flags.length;

describe('CrosstalkDetector', () => {
  it('marks the channel on which the other one leaks, pauses of words included', () => {
    const speech = new SyntheticSoundBuilder().babble(5, LOUD).samples();
    const [left, right] = new CrosstalkDetector(0).push([speech, speech.map((sample) => sample * 0.05)]);
    expect(left).toHaveLength(5 * FRAMES_PER_SECOND);
    expect(share(left)).toBe(0);
    expect(share(right)).toBe(1);
  });

  it('marks neither of two who talk at once, nor a quieter one whose level is known', () => {
    const speech = new SyntheticSoundBuilder().babble(5, LOUD).samples();
    const other = new SyntheticSoundBuilder(5).babble(5, LOUD / 5).samples();
    const quiet = new SyntheticSoundBuilder(5).babble(5, LOUD / 15).samples();
    for (const flags of new CrosstalkDetector(0).push([speech, other])) expect(share(flags)).toBe(0);
    for (const flags of new CrosstalkDetector(15).push([speech, quiet])) expect(share(flags)).toBe(0);
  });

  it('has a flag for the last, incomplete frame', () => {
    const gate = new CrosstalkDetector(0);
    const sound = new SyntheticSoundBuilder().babble(0.03, LOUD).samples();
    expect(gate.push([sound, sound]).map(({ length }) => length)).toEqual([1, 1]);
    expect(gate.flush().map(({ length }) => length)).toEqual([1, 1]);
  });
});
