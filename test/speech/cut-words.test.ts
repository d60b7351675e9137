import { PocketsphinxEngine } from '@app/speech';
import { afterAll, describe, expect, it } from 'vitest';
import { transcribeFile } from '../support/transcribe-file.js';
import { dialogue } from '../support/material/index.js';
import { computeWordErrors } from '../support/sclite.js';
import { findLostAndAddedWords } from '../support/find-lost-and-added-words.js';

const enabled = process.env.CUTS_LONG === '1';
if (!enabled)
  console.warn('Skipped split points in a long dialogue, which takes minutes: CUTS_LONG=1 runs it.');

/** Around a split point no word may be lost or doubled. */
const MAX_DISTANCE_SECONDS = 1;
const MINUTES = 60_000;

const FILES = [
  { seconds: 32, seed: 21, lengths: { targetSeconds: 5, maxSeconds: 15 }, cuts: 3 },
  ...(enabled ? [{ seconds: 300, seed: 22, lengths: {}, cuts: 7 }] : []),
];

describe('chunkAudioToSink', () => {
  const engine = new PocketsphinxEngine();
  afterAll(() => engine.close());

  it.each(FILES)(
    'no word is lost or duplicated at a split point: $seconds s',
    { timeout: 20 * MINUTES },
    async ({ seconds, seed, lengths, cuts }) => {
      const { path, duration, turns } = await dialogue({ seconds, voices: 2, seed });
      const signal = new AbortController().signal;
      const whole = await engine.transcribe({ path, duration }, { vocabulary: [], signal });
      const chunked = await transcribeFile(engine, path, lengths);
      const changes = findLostAndAddedWords(whole.words, chunked.words);
      const changesAtCuts = changes.filter(({ at }) =>
        chunked.cutPoints.some((time) => Math.abs(time - at) <= MAX_DISTANCE_SECONDS),
      );

      const script = turns.map(({ text }) => text).join(' ');
      const errors = async (words: { text: string }[]) =>
        (await computeWordErrors(script, words.map(({ text }) => text).join(' '))).percent;
      const [wholeErrors, chunkedErrors] = [await errors(whole.words), await errors(chunked.words)];
      console.log(
        `${seconds} s, ${chunked.chunks} chunks: ${whole.words.length} words without splitting, ${changes.length} lost or added; ` +
          `errors ${wholeErrors.toFixed(1)} % without splitting, ${chunkedErrors.toFixed(1)} % with chunks`,
      );
      expect(chunked.cutPoints.length).toBeGreaterThanOrEqual(cuts);
      expect(whole.words.length).toBeGreaterThan(1.2 * seconds);
      expect(changesAtCuts).toEqual([]);
      expect(chunked.words.every(({ start }, index) => start >= (chunked.words[index - 1]?.start ?? 0))).toBe(
        true,
      );
    },
  );
});
