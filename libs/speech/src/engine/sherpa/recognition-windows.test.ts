import { describe, expect, it } from 'vitest';
import { SyntheticSoundBuilder } from '../../vad/testing/synthetic-sound-builder.js';
import { chooseRecognitionWindows } from './recognition-windows.js';

const speechOf = (...lengths: number[]) => {
  const sound = new SyntheticSoundBuilder().noise(0.5, 20);
  for (const seconds of lengths) sound.babble(seconds, 8000, 20).noise(0.6, 20);
  return sound.samples();
};

describe('chooseRecognitionWindows', () => {
  it('audio without speech yields no window', () => {
    expect(chooseRecognitionWindows(new Int16Array(0), 10)).toEqual([]);
    expect(chooseRecognitionWindows(new SyntheticSoundBuilder().silence(5).samples(), 10)).toEqual([]);
  });

  it('utterances that fit share a window, which splits at pauses and lists its utterances', () => {
    const windows = chooseRecognitionWindows(speechOf(2, 2, 2), 6);
    expect(windows.map(({ utterances: parts }) => parts.length)).toEqual([2, 1]);
    for (const { start, end, utterances: parts } of windows) {
      expect(end - start).toBeLessThanOrEqual(6);
      expect(start).toBeLessThan(parts[0]?.start ?? 0);
      expect(end).toBeGreaterThan(parts.at(-1)?.end ?? Infinity);
    }
    expect(windows[1]?.start).toBeGreaterThanOrEqual(windows[0]?.end ?? Infinity);
  });

  it('speech without pauses is split at its quietest moment without loss', () => {
    const samples = new SyntheticSoundBuilder().noise(0.5, 20).babble(9, 8000, 20).noise(0.5, 20).samples();
    samples.fill(0, 3.1 * 16_000, 3.14 * 16_000);
    const windows = chooseRecognitionWindows(samples, 4);
    expect(windows.length).toBeGreaterThanOrEqual(3);
    expect(windows[0]?.utterances[0]?.end).toBeCloseTo(3.12, 1);
    windows.slice(1).forEach(({ start }, index) => expect(start).toBe(windows[index]?.end));
  });

  it('returns windows with all of an audible chunk if there is no voice activity model', () => {
    const inNoise = new SyntheticSoundBuilder().noise(4, 3000).babble(3, 4000, 3000).noise(4, 3000).samples();
    for (const samples of [inNoise, speechOf(2, 2, 2), speechOf(9)]) {
      for (const speech of [undefined, { detector: 'level' as const, spans: [{ start: 1, end: 1.5 }] }]) {
        const windows = chooseRecognitionWindows(samples, 4, speech);
        expect(windows[0]?.start).toBe(0);
        expect(windows.at(-1)?.end).toBe(samples.length / 16_000);
        windows.slice(1).forEach(({ start }, index) => expect(start).toBe(windows[index]?.end));
        for (const { start, end } of windows) expect(end - start).toBeLessThanOrEqual(4.001);
      }
    }
  });

  it('all speech that a voice activity model detected is in a window, whatever its level', () => {
    const samples = new SyntheticSoundBuilder().noise(20, 3000).samples();
    const spans = [
      { start: 0.5, end: 4 },
      { start: 4.1, end: 7.5 },
      { start: 12, end: 14 },
    ];
    const windows = chooseRecognitionWindows(samples, 6, { detector: 'model', spans });
    for (let at = 0; at < 20; at += 0.05) {
      const isSpeech = spans.some(({ start, end }) => start <= at && at < end);
      const inWindows = windows.filter(({ start, end }) => start <= at && at < end);
      expect(inWindows.length, `at ${at}`).toBeLessThanOrEqual(1);
      if (isSpeech) expect(inWindows.length, `at ${at}`).toBe(1);
    }
    expect(windows.some(({ start, end }) => start < 9 && end > 9)).toBe(false);
    expect(chooseRecognitionWindows(samples, 6, { detector: 'model', spans: [] })).toEqual([]);
  });
});
