import { describe, expect, it } from 'vitest';
import { dialogue } from '../support/material/index.js';
import { computeDiarizationErrors } from '../support/md-eval.js';
import { diarizeFile } from '../support/diarize-file.js';

const enabled = process.env.SPEAKERS_LONG === '1';
if (!enabled)
  console.warn('Skipped speakers of long dialogues, which take minutes: SPEAKERS_LONG=1 runs them.');

const MAX_ERROR_RATE = 10;
const MINUTES = 60_000;

/** None of these was used when the parameters of the method were chosen. */
const FILES = [
  ...[111, 112, 113].map((seed) => ({ seconds: 300, seed })),
  { seconds: 1800, seed: 109 },
  { seconds: 3600, seed: 110 },
].flatMap((file) => ([1, 2, 3, 4] as const).map((voices) => ({ ...file, voices })));

describe.skipIf(!enabled)('diarization of long dialogues', () => {
  it.each(FILES)(
    '$voices speakers in $seconds seconds are separated, seed $seed',
    { timeout: 10 * MINUTES },
    async (file) => {
      const { path, turns } = await dialogue(file);
      const result = await diarizeFile(path);
      const strict = await computeDiarizationErrors(turns, result.turns, 0);
      const { percent } = await computeDiarizationErrors(turns, result.turns, 0.25);
      console.log(
        `${file.voices} voices, ${file.seconds} s, seed ${file.seed}: ${result.speakers} speakers, ` +
          `errors ${percent.toFixed(2)} %, ${strict.percent.toFixed(2)} % without collar, ${result.speakerFeaturesLength} characters stored`,
      );
      expect(result.speakers).toBe(file.voices);
      expect(percent).toBeLessThan(MAX_ERROR_RATE);
    },
  );
});
