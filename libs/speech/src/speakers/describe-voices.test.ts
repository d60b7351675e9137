import { describe, expect, it } from 'vitest';
import { SyntheticSound } from '../vad/testing/synthetic-sound.js';
import { describeVoices } from './describe-voices.js';
import { tellSpeakers } from './tell-speakers.js';
import { decodeWindows, VoicesInvalid } from './window-codec.js';

const { signal } = new AbortController();
const LONG_SILENCE = 3;

describe('describeVoices', () => {
  it.each([
    ['nothing', new Int16Array(0)],
    ['silence', new SyntheticSound().silence(3).samples()],
    ['a click', new SyntheticSound().silence(1).tone(0.02, 9_000).silence(1).samples()],
  ])('finds no voice in %s', async (_, samples) => {
    const voices = await describeVoices(samples, signal);
    expect(decodeWindows(voices)).toEqual([]);
    expect(await tellSpeakers([{ start: 0, voices }], signal)).toEqual([]);
  });

  it('covers speech with windows of about half a second, and nothing else', async () => {
    const sound = new SyntheticSound(2).silence(2).babble(3.2, 8_000).silence(2);
    const windows = decodeWindows(await describeVoices(sound.samples(), signal));
    expect(windows.length).toBeGreaterThanOrEqual(5);
    expect(windows[0]?.start).toBeCloseTo(2, 0);
    expect(windows.at(-1)?.end).toBeCloseTo(5.2, 0);
    for (const { start, end } of windows) expect(end - start).toBeLessThan(0.8);
  });

  it('counts no frames of a voice that are hardly louder than the noise around it, and leaves no window without any', async () => {
    const voice = new SyntheticSound(2).silence(2).babble(3.2, 3_000).silence(2).samples();
    const noise = new SyntheticSound(9).noise(8, 400).samples();
    const noisy = voice.map((sample, index) => sample + (noise[index] ?? 0));
    const framesIn = async (samples: Int16Array) =>
      decodeWindows(await describeVoices(samples, signal)).map(({ frames }) => frames);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    const [clear, covered] = [await framesIn(voice), await framesIn(noisy)];
    expect(sum(covered)).toBeLessThan(0.8 * sum(clear));
    expect(covered.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...covered)).toBeGreaterThan(0);
  });

  it('lets others have their turn meanwhile', async () => {
    const samples = new SyntheticSound(2).babble(60, 8_000).samples();
    let turns = 0;
    const others = setInterval(() => (turns += 1), 1);
    await describeVoices(samples, signal);
    clearInterval(others);
    expect(turns).toBeGreaterThan(3);
  });

  it('stops when it is no longer wanted', async () => {
    const gone = AbortSignal.abort(new Error('no longer wanted'));
    const samples = new SyntheticSound(2).babble(60, 8_000).samples();
    await expect(describeVoices(samples, gone)).rejects.toThrow('no longer wanted');
  });
});

describe('tellSpeakers', () => {
  it('puts the turns of every chunk on the clock of the file', async () => {
    const voices = await describeVoices(new SyntheticSound(2).babble(3, 8_000).samples(), signal);
    const turns = await tellSpeakers(
      [
        { start: 10, voices },
        { start: 13 + LONG_SILENCE, voices },
      ],
      signal,
    );
    expect(turns).toHaveLength(2);
    expect(turns.every(({ speaker }) => speaker === 0)).toBe(true);
    expect((turns[1]?.start ?? 0) - (turns[0]?.start ?? 0)).toBeCloseTo(6, 5);
  });

  it('refuses what is no description', async () => {
    await expect(tellSpeakers([{ start: 0, voices: 'garbage' }], signal)).rejects.toThrow(VoicesInvalid);
    await expect(tellSpeakers([], signal)).resolves.toEqual([]);
  });
});
