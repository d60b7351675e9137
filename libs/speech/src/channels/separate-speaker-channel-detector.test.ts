import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { SeparateSpeakerChannelDetector } from './separate-speaker-channel-detector.js';

const FAINT = 30;
const LOUD = 8_000;

/** Speaks in turns of two seconds, in the first or the second half of each four. */
function speakInTurns(seconds: number, isFirst: boolean, amplitude = LOUD, seed = 1): Int16Array {
  const sound = new SyntheticSoundBuilder(seed);
  for (let at = 0; at < seconds; at += 4) {
    if (isFirst) sound.babble(2, amplitude, FAINT).noise(2, FAINT);
    else sound.noise(2, FAINT).babble(2, amplitude, FAINT);
  }
  return sound.samples();
}

function mix(...parts: readonly (readonly [Int16Array, number])[]): Int16Array {
  const [first] = parts;
  return Int16Array.from(first?.[0] ?? [], (_, at) =>
    parts.reduce((sum, [samples, gain]) => sum + (samples[at] ?? 0) * gain, 0),
  );
}

function compare(left: Int16Array, right: Int16Array): SeparateSpeakerChannelDetector {
  const comparison = new SeparateSpeakerChannelDetector();
  comparison.push([left, right]);
  return comparison;
}

const isApart = (left: Int16Array, right: Int16Array) => compare(left, right).areSeparateSpeakers;

const FIRST = speakInTurns(60, true);
const SECOND = speakInTurns(60, false, LOUD, 7);

describe('SeparateSpeakerChannelDetector', () => {
  it('separates two speakers who take turns', () => {
    expect(isApart(FIRST, SECOND)).toBe(true);
  });

  it('separates speakers of different loudness, with a crosstalk of -40 dB', () => {
    const quiet = speakInTurns(60, false, LOUD / 12, 7);
    expect(isApart(mix([FIRST, 1], [quiet, 0.01]), mix([quiet, 1], [FIRST, 0.01]))).toBe(true);
  });

  it('separates speakers who sometimes talk at once', () => {
    const interrupting = new SyntheticSoundBuilder(9)
      .noise(44, FAINT)
      .babble(12, LOUD)
      .noise(4, FAINT)
      .samples();
    expect(isApart(FIRST, mix([SECOND, 1], [interrupting, 1]))).toBe(true);
  });

  it.each([
    ['the same sound on both channels', FIRST, FIRST],
    ['one channel of silence', FIRST, new Int16Array(FIRST.length)],
    ['one channel of steady noise', FIRST, new SyntheticSoundBuilder(3).noise(60, 2_000).samples()],
    ['one speaker with a faint echo on the other channel', FIRST, mix([FIRST, 0.02])],
    ['two speakers in a stereo room', mix([FIRST, 1], [SECOND, 0.4]), mix([SECOND, 1], [FIRST, 0.4])],
    [
      'unlike music on both channels',
      new SyntheticSoundBuilder(4).babble(60, LOUD, 500).samples(),
      new SyntheticSoundBuilder(5).babble(60, LOUD / 2, 500).samples(),
    ],
    ['two speakers who always talk at once', FIRST, speakInTurns(60, true, LOUD, 7)],
    ['nothing', new Int16Array(0), new Int16Array(0)],
  ])('does not separate %s', (_, left, right) => {
    expect(isApart(left, right)).toBe(false);
    expect(isApart(right, left)).toBe(false);
  });

  it('is certain about music after two minutes, and not about people who take turns', () => {
    const left = new SyntheticSoundBuilder(4).babble(130, LOUD, 500).samples();
    expect(compare(left, new SyntheticSoundBuilder(5).babble(130, LOUD, 500).samples()).areClearlyMixed).toBe(
      true,
    );
    expect(compare(FIRST, FIRST).areClearlyMixed).toBe(false);
    expect(compare(speakInTurns(300, true), speakInTurns(300, false)).areClearlyMixed).toBe(false);
  });
});
