import { readFileSync } from 'node:fs';
import type { AssemblyInput } from '@app/transcript';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';

export interface PauseStyle {
  /** Factor for the length of every silence. */
  scale: number;
  /** Probability of a silence after a word without a punctuation mark. */
  hesitant: number;
}

export type Talk = Pick<AssemblyInput, 'chunks' | 'duration'> & {
  turns: { speaker: string; text: string; start: number; end: number }[];
};

const UNUSED_INPUT: Omit<AssemblyInput, keyof Talk> = {
  ...{ jobId: '', createdAt: '', model: 'zephyr', engine: { name: '', model: null, version: null } },
  ...{ punctuated: false, warnings: [], credits: null },
  options: { word_timestamps: true, speaker_labels: true, nltk: true },
};

/** Adds the fields that do not matter for a test of words and turns. */
export function toAssemblyInput(talk: Talk): AssemblyInput {
  return { ...UNUSED_INPUT, ...talk };
}

/**
 * Converts a conversation of `talks/` to the output of an engine without punctuation and capitals. Silences are random:
 * mostly long at the ends of sentences, shorter or none at commas, some after a word without a mark.
 */
export function generateTalkWithPauses(name: string, { scale, hesitant }: PauseStyle, seed: number): Talk {
  const chance = new SeededRandom(seed);
  const turns: Talk['turns'] = [];
  const words: Talk['chunks'][number]['words'][number][] = [];
  let clock = 0;
  for (const line of readFileSync(new URL(`talks/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const [speaker = '', text = ''] = line.split(/: (.*)/);
    const start = clock;
    for (const written of text.split(' ')) {
      const word = written.toLowerCase().replace(/[^a-z']/g, '');
      const end = clock + 0.12 + 0.05 * word.length;
      words.push({ text: word, start: clock, end, confidence: null, language: 'en' });
      clock = end + scale * silenceAfter(written, hesitant, chance);
    }
    turns.push({ speaker, text, start, end: words.at(-1)?.end ?? start });
    clock = (words.at(-1)?.end ?? start) + chance.between(0.1, 0.9);
  }
  return { turns, duration: clock, chunks: [{ index: 0, start: 0, end: clock, language: 'en', words }] };
}

/** Seconds of silence after a word. */
function silenceAfter(written: string, hesitant: number, chance: SeededRandom): number {
  if (/[.?]$/.test(written)) return chance.next() < 0.1 ? 0.05 : logNormal(0.55, chance);
  if (written.endsWith(',')) return chance.next() < 0.4 ? 0 : logNormal(0.3, chance);
  return chance.next() < hesitant ? logNormal(0.4, chance) : 0;
}

/** A third of the values differ from the median by more than the factor 1.65. */
function logNormal(median: number, chance: SeededRandom): number {
  const normal = Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());
  return median * Math.exp(0.5 * normal);
}
