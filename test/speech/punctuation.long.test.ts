import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PocketsphinxEngine } from '@app/speech';
import { assembleTranscript } from '@app/transcript';
import { afterAll, describe, expect, it } from 'vitest';
import { transcribeFile } from '../support/transcribe-file.js';
import { dialogue } from '../support/material/index.js';
import { toAssemblyInput } from '../support/talk-with-pauses.js';
import { type MarkScore, scorePunctuation } from '../support/score-punctuation.js';

const enabled = process.env['PUNCTUATION_LONG'] === '1';
if (!enabled)
  console.warn('Skipped punctuation of dialogues, which takes minutes: PUNCTUATION_LONG=1 runs it.');

const sample = new URL('../../assets/sample/', import.meta.url);
const engine = new PocketsphinxEngine();
afterAll(() => engine.close());

interface SpokenDialogue {
  path: string;
  turns: { speaker: string; text: string; start: number; end: number }[];
}

async function readBundledSample(): Promise<SpokenDialogue> {
  const { turns } = JSON.parse(readFileSync(new URL('dialogue.json', sample), 'utf8')) as SpokenDialogue;
  return { path: fileURLToPath(new URL('dialogue.mp3', sample)), turns };
}

describe.skipIf(!enabled)('punctuation of the embedded engine', () => {
  it.each([
    ['the bundled sample', readBundledSample],
    ['three voices, seed 61', () => dialogue({ seconds: 60, voices: 3, seed: 61 })],
    ['two voices, seed 62', () => dialogue({ seconds: 120, voices: 2, seed: 62 })],
    ['four voices, seed 63', () => dialogue({ seconds: 120, voices: 4, seed: 63 })],
  ] as const)(
    '%s: full stops and question marks match the script',
    async (name, make) => {
      const { path, turns } = await make();
      const { words, duration } = await transcribeFile(engine, path);
      const chunks = [{ index: 0, start: 0, end: duration, language: 'en', words }];
      const { text } = assembleTranscript(toAssemblyInput({ turns, duration, chunks }));
      const written = turns.map((turn) => turn.text).join(' ');
      const scores = scorePunctuation(written, text);
      for (const [mark, score] of Object.entries(scores))
        console.log(`${name} ${mark} ${formatScore(score)}`);
      console.log(text);
      // The figures are in docs/speech/punctuation.md; the bounds allow one or two more errors.
      expect(scores['.'].right / scores['.'].set).toBeGreaterThan(0.65);
      expect(scores['.'].right / scores['.'].written).toBeGreaterThan(0.45);
      expect(scores['?'].set - scores['?'].right).toBeLessThanOrEqual(1);
    },
    300_000,
  );
});

function formatScore({ right, set, written }: MarkScore): string {
  return `${right} right of ${set} set, of ${written} written`;
}
