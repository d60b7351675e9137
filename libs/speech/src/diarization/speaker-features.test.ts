import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../vad/testing/synthetic-sound-builder.js';
import { extractEncodedAcousticFeatures } from './speaker-features.js';
import { diarizeFeatures } from './diarize.js';
import { decodeAcousticWindowsFromText, SpeakerFeaturesDecodeError } from './acoustic-window.js';

const { signal } = new AbortController();
const LONG_SILENCE = 3;

describe('extractEncodedAcousticFeatures', () => {
  it.each([
    ['nothing', new Int16Array(0)],
    ['silence', new SyntheticSoundBuilder().silence(3).samples()],
    ['a click', new SyntheticSoundBuilder().silence(1).tone(0.02, 9_000).silence(1).samples()],
  ])('there are no speaker features in %s', async (_, samples) => {
    const speakerFeatures = await extractEncodedAcousticFeatures(samples, signal);
    expect(decodeAcousticWindowsFromText(speakerFeatures)).toEqual([]);
    expect(await diarizeFeatures([{ start: 0, speakerFeatures }], signal)).toEqual([]);
  });

  it('windows of about half a second cover exactly the speech', async () => {
    const sound = new SyntheticSoundBuilder(2).silence(2).babble(3.2, 8_000).silence(2);
    const windows = decodeAcousticWindowsFromText(
      await extractEncodedAcousticFeatures(sound.samples(), signal),
    );
    expect(windows.length).toBeGreaterThanOrEqual(5);
    expect(windows[0]?.start).toBeCloseTo(2, 0);
    expect(windows.at(-1)?.end).toBeCloseTo(5.2, 0);
    for (const { start, end } of windows) expect(end - start).toBeLessThan(0.8);
  });

  it('frames near the noise level are skipped, but every window keeps at least one', async () => {
    const voice = new SyntheticSoundBuilder(2).silence(2).babble(3.2, 3_000).silence(2).samples();
    const noise = new SyntheticSoundBuilder(9).noise(8, 400).samples();
    const noisy = voice.map((sample, index) => sample + (noise[index] ?? 0));
    const framesIn = async (samples: Int16Array) =>
      decodeAcousticWindowsFromText(await extractEncodedAcousticFeatures(samples, signal)).map(
        ({ frames }) => frames,
      );
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    const [clear, covered] = [await framesIn(voice), await framesIn(noisy)];
    expect(sum(covered)).toBeLessThan(0.8 * sum(clear));
    expect(covered.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...covered)).toBeGreaterThan(0);
  });

  it('the event loop runs during the extraction', async () => {
    const samples = new SyntheticSoundBuilder(2).babble(60, 8_000).samples();
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    await extractEncodedAcousticFeatures(samples, signal);
    clearInterval(others);
    expect(turns).toBeGreaterThan(3);
  });

  it('an abort stops the extraction', async () => {
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    const samples = new SyntheticSoundBuilder(2).babble(60, 8_000).samples();
    await expect(extractEncodedAcousticFeatures(samples, aborted)).rejects.toThrow('no longer wanted');
  });
});

describe('diarize', () => {
  it('turns of every chunk are relative to the file start', async () => {
    const speakerFeatures = await extractEncodedAcousticFeatures(
      new SyntheticSoundBuilder(2).babble(3, 8_000).samples(),
      signal,
    );
    const turns = await diarizeFeatures(
      [
        { start: 10, speakerFeatures },
        { start: 13 + LONG_SILENCE, speakerFeatures },
      ],
      signal,
    );
    expect(turns).toHaveLength(2);
    expect(turns.every(({ speaker }) => speaker === 0)).toBe(true);
    expect((turns[1]?.start ?? 0) - (turns[0]?.start ?? 0)).toBeCloseTo(6, 5);
  });

  it('invalid speaker features are rejected', async () => {
    await expect(diarizeFeatures([{ start: 0, speakerFeatures: 'garbage' }], signal)).rejects.toThrow(
      SpeakerFeaturesDecodeError,
    );
    await expect(diarizeFeatures([], signal)).resolves.toEqual([]);
  });
});
