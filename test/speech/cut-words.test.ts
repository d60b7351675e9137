import { PocketsphinxEngine } from '@app/speech';
import { afterAll, describe, expect, it } from 'vitest';
import { transcribeFile } from '../support/transcribe-file.js';
import { dialogue } from '../support/material/index.js';
import { computeWordErrors } from '../support/sclite.js';
import { diffWords } from '../support/diff-words.js';

const enabled = process.env.CUTS_LONG === '1';
if (!enabled) console.warn('Skipped, cuts in a long dialogue: it takes minutes. CUTS_LONG=1 runs it.');

/** Seconds around a cut in which no word may be lost or doubled. */
const NEAR = 1;
const MINUTES = 60_000;

const FILES = [
  { seconds: 32, seed: 21, lengths: { targetSeconds: 5, maxSeconds: 15 }, cuts: 3 },
  ...(enabled ? [{ seconds: 300, seed: 22, lengths: {}, cuts: 7 }] : []),
];

describe('chunkAudio', () => {
  const engine = new PocketsphinxEngine();
  afterAll(() => engine.close());

  it.each(FILES)(
    'no word is lost or duplicated at a split point: $seconds s',
    { timeout: 20 * MINUTES },
    async ({ seconds, seed, lengths, cuts }) => {
      const { path, duration, turns } = await dialogue({ seconds, voices: 2, seed });
      const signal = new AbortController().signal;
      const whole = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
      const cut = await transcribeFile(engine, path, lengths);
      const changes = diffWords(whole.words, cut.words);
      const atCuts = changes.filter(({ at }) => cut.cutPoints.some((time) => Math.abs(time - at) <= NEAR));

      const script = turns.map(({ text }) => text).join(' ');
      const errors = async (words: { text: string }[]) =>
        (await computeWordErrors(script, words.map(({ text }) => text).join(' '))).percent;
      const [undivided, divided] = [await errors(whole.words), await errors(cut.words)];
      console.log(
        `${seconds} s, ${cut.chunks} chunks: ${whole.words.length} words undivided, ${changes.length} lost or added; ` +
          `errors ${undivided.toFixed(1)} % undivided, ${divided.toFixed(1)} % cut`,
      );
      expect(cut.cutPoints.length).toBeGreaterThanOrEqual(cuts);
      expect(whole.words.length).toBeGreaterThan(1.2 * seconds);
      expect(atCuts).toEqual([]);
      expect(cut.words.every(({ start }, index) => start >= (cut.words[index - 1]?.start ?? 0))).toBe(true);
    },
  );
});
